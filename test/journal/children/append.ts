/** Appends user messages to a session file and says so on its output, each as soon as it is acknowledged. */
import { writeSync } from 'node:fs';
import { SessionManager } from '../../../src/journal/index.ts';

const [file = '', count = '0', name = '', size = '0'] = process.argv.slice(2);
const session = SessionManager.open(file);
try {
  for (let at = 0; at < Number(count); at++) {
    const text = `${name}${at} ${'x'.repeat(at % 10 === 0 ? Number(size) : 10)}`;
    const id = session.appendMessage({ role: 'user', content: text, timestamp: at });
    writeSync(1, `${id}\n`);
  }
  session.close();
} catch (error) {
  writeSync(1, `error ${(error as Error).message}\n`);
  try {
    session.appendMessage({ role: 'user', content: 'after', timestamp: 0 });
  } catch (again) {
    writeSync(1, `${again === error ? 'same' : 'other'} error\n`);
  }
}
