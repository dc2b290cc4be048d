/** A place in the product: a screen, and what its address says. */
export interface ScreenLink {
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}
