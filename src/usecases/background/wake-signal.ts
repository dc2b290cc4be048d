/** A wait that others can end early. */
export interface WakeSignal {
  /** Resolves after a number of milliseconds or with the next `wake`; at once after a wake since the last wait. */
  wait(most: number): Promise<void>;
  wake(): void;
}

export function createWakeSignal(): WakeSignal {
  let isAwake = false;
  let end: () => void = () => undefined;
  return {
    wait: (most) =>
      new Promise((resolve) => {
        if (isAwake) {
          isAwake = false;
          return resolve();
        }
        const timer = setTimeout(() => end(), most);
        end = () => {
          clearTimeout(timer);
          isAwake = false;
          end = () => undefined;
          resolve();
        };
      }),
    wake: () => {
      isAwake = true;
      end();
    },
  };
}
