/**
 * Loaded before a measured program with `node --import`: when it ends, writes the peak memory in bytes and the
 * processor seconds of that process to the file that BENCH_USAGE_FILE names.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BENCH_USAGE_FILE;
if (isMainThread && file) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeFileSync(
      file,
      JSON.stringify({
        peakBytes: peakOfThisProgram() ?? maxRSS * 1_024,
        cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
      }),
    );
  });
}

/** Linux counts the parent's memory into maxRSS of a child; its VmHWM does not. */
function peakOfThisProgram() {
  if (process.platform !== 'linux') return null;
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
}
