import { useState } from 'react';
import { isCodeWanted } from './queries.ts';

/** True once the server requires a code; a wrong code keeps the field. */
export function useCodeStep(error: Error | null): boolean {
  const [wasWanted, setWasWanted] = useState(false);
  const isWanted = wasWanted || isCodeWanted(error);
  if (isWanted !== wasWanted) setWasWanted(isWanted);
  return isWanted;
}
