'use strict';

const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/**
 * Lets Node keep compiled code, in a folder that nobody else can write to: what lies there is run, and Node does not doubt it. Its own
 * choice, a folder in /tmp with a name that can be guessed, may have been made by somebody else. Who sets NODE_COMPILE_CACHE has chosen a
 * folder, for every program of Node; it is in use by now. Threads and programs that are started have no cache.
 */
module.exports = () => {
  const { enableCompileCache } = require('node:module');
  if (!enableCompileCache || process.env.NODE_COMPILE_CACHE || process.env.NODE_DISABLE_COMPILE_CACHE) return;
  const folder = ownFolder(cacheFolder());
  if (folder !== null) enableCompileCache(folder);
};

function cacheFolder() {
  const { env, platform } = process;
  const home = os.homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'skein', 'compiled');
  if (platform === 'win32')
    return path.join(env.LOCALAPPDATA || path.join(home, 'AppData', 'Local'), 'skein', 'Cache', 'compiled');
  const given = env.XDG_CACHE_HOME || '';
  return path.join(path.isAbsolute(given) ? given : path.join(home, '.cache'), 'skein', 'compiled');
}

/**
 * The folder by its real name, made if it is not there; null where it cannot be made, or is not ours alone.
 * @param {string} folder
 */
function ownFolder(folder) {
  try {
    const missing = [];
    let there = folder;
    for (; !fs.lstatSync(there, { throwIfNoEntry: false }); there = path.dirname(there)) missing.push(there);
    if (!isOurs(fs.realpathSync(there))) return null;
    for (const each of missing.reverse()) fs.mkdirSync(each, { mode: 0o700 });
    const real = fs.realpathSync(folder);
    return fs.lstatSync(folder).isDirectory() && isClosed(real) && isOurs(real) ? real : null;
  } catch (_error) {
    // Without it the program starts a little later.
    return null;
  }
}

/**
 * Ours, and written by nobody else.
 * @param {string} folder
 */
function isClosed(folder) {
  const { uid, mode } = fs.statSync(folder);
  return !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0);
}

/**
 * Whether nobody but us and root can put another folder in its place: not into a folder above it that others may write to, unless only
 * the owner may take something away there, or others do not come that far.
 * @param {string} folder
 */
function isOurs(folder) {
  if (!process.getuid) return true;
  const own = process.getuid();
  let isLoose = false;
  for (let at = folder; ; at = path.dirname(at)) {
    const { uid, mode } = fs.lstatSync(at);
    if (uid !== own && uid !== 0) return false;
    if ((mode & 0o011) === 0) isLoose = false;
    else if ((mode & 0o022) !== 0 && (mode & 0o1000) === 0) isLoose = true;
    if (path.dirname(at) === at) return !isLoose;
  }
}
