#!/usr/bin/env node
const folder = (name) => new URL(`../${name}/`, import.meta.url);
const { checkNode, ensureBuilt, ensureInstalled } = await import(new URL('ensure.mjs', folder('scripts')));
const { PlainError, say } = await import(new URL('project.mjs', folder('scripts')));

/** The commands that need the database; every other word is answered without one. */
const DATABASE_COMMANDS = new Set([
  'serve',
  'work',
  'import',
  'export',
  'users',
  'backup',
  'restore',
  'sandbox',
]);

const needsDatabase = DATABASE_COMMANDS.has(process.argv[2]);

try {
  // Files can be repriced on every system that Node runs on, so only its version matters then.
  if (needsDatabase) checkNode();
  else checkNode({ version: process.versions.node, platform: 'any', databaseUrl: undefined });
  await ensureInstalled();
  await ensureBuilt();
} catch (error) {
  if (!(error instanceof PlainError)) throw error;
  say(error.message);
  // Not 1: that would say "some rows were unreadable".
  process.exit(2);
}

await import(new URL(needsDatabase ? 'main.js' : 'reprice.js', folder('dist/server')));
