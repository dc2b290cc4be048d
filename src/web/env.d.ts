/** The version of package.json, set by the build. */
declare const __APP_VERSION__: string;
