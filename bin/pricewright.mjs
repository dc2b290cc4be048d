#!/usr/bin/env node
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkNode, ensureBuilt, ensureInstalled } from '#scripts/ensure.mjs';
import { PlainError, root, say } from '#scripts/project.mjs';

/** The commands that need the database; every other word is answered without one. */
const DATABASE_COMMANDS = new Set(['serve', 'work', 'users', 'keys', 'backup', 'restore', 'doctor']);

const needsDatabase = DATABASE_COMMANDS.has(process.argv[2]);
/** Simulated marketplaces need no database, but the program that has everything else. */
const isSandbox = process.argv[2] === 'sandbox';

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

const program = needsDatabase || isSandbox ? 'main.js' : 'reprice.js';
await import(pathToFileURL(path.join(root, 'dist/server', program)).href);
