import { useState } from 'react';
import { isCodeWanted } from './queries.ts';

/** True from the moment the server asks for a code; a wrong code does not take the field away again. */
export function useCodeStep(error: Error | null): boolean {
  const [wasAsked, setWasAsked] = useState(false);
  const isAsked = wasAsked || isCodeWanted(error);
  if (isAsked !== wasAsked) setWasAsked(isAsked);
  return isAsked;
}
