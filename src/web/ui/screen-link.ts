/** A link to a screen with its search parameters. */
export interface ScreenLink {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}
