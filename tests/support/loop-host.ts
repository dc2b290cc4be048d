import type { LoopHost } from '#usecases/background/supervised-loop.ts';

/** A host whose waits take no time and are written down. */
export interface RecordingHost extends LoopHost {
  readonly waits: number[];
  readonly rests: number[];
}

/** @param until asked at each wait, once it is written down; ends the loop when it says so */
export function recordingHost(until: (host: RecordingHost) => boolean | Promise<boolean>): RecordingHost {
  const ending = new AbortController();
  const pause = async (times: number[], time: number): Promise<void> => {
    times.push(time);
    if (await until(host)) ending.abort();
  };
  const host: RecordingHost = {
    stopping: ending.signal,
    waits: [],
    rests: [],
    wait: (time) => pause(host.waits, time),
    rest: (time) => pause(host.rests, time),
  };
  return host;
}
