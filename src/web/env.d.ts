/** The version of package.json, set by the build. */
declare const __APP_VERSION__: string;

/** Constants of the build. */
interface ImportMeta {
  readonly env: {
    /** False in the bundle that is shipped. */
    readonly DEV: boolean;
  };
}
