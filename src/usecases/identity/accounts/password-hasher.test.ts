import { expect, test } from 'vitest';
import { AppError } from '#usecases/app-error.ts';
import { createGate, createPasswordHasher } from './password-hasher.ts';

const PASSWORD = 'correct horse battery staple';

test('a password matches its own hash and nothing else', async () => {
  const passwords = createPasswordHasher();
  const stored = await passwords.hash(PASSWORD);
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=3,p=1\$/);
  expect(await passwords.verify(stored, PASSWORD)).toBe(true);
  expect(await passwords.verify(stored, `${PASSWORD} `)).toBe(false);
  expect(await passwords.verify(stored, PASSWORD.toUpperCase())).toBe(false);
});

test('a missing user never matches', async () => {
  expect(await createPasswordHasher().verify(null, PASSWORD)).toBe(false);
});

test('a hash made with fewer passes needs a rehash, its own does not', async () => {
  const passwords = createPasswordHasher();
  const older = createPasswordHasher({ memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  expect(passwords.needsRehash(await older.hash(PASSWORD))).toBe(true);
  expect(passwords.needsRehash(await passwords.hash(PASSWORD))).toBe(false);
});

test('the limiter runs some tasks, queues some, rejects the rest, and accepts new ones afterwards', async () => {
  const gate = createGate(2, 1);
  const releases: Array<() => void> = [];
  let running = 0;
  let most = 0;
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => releases.push(resolve));
    running -= 1;
  };
  const first = [gate(task), gate(task), gate(task)];
  await expect(gate(task)).rejects.toThrow(AppError);
  expect(releases).toHaveLength(2);
  while (running > 0) {
    releases.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(first);
  expect(most).toBe(2);
  await expect(gate(async () => 'free again')).resolves.toBe('free again');
});

test('a task that fails frees its slot', async () => {
  const gate = createGate(1, 0);
  await expect(gate(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(gate(async () => 1)).resolves.toBe(1);
});
