import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { filesOfSession, forgetFiles } from '../../src/ingest/index.ts';
import { openRoots } from '../../src/sources/index.ts';
import { user } from '../kit/transcript.ts';
import { Place } from './kit.ts';

const line = (uuid: string, cwd = '/r'): string =>
  `${JSON.stringify(user(uuid, null, `prompt of ${uuid}`, { cwd }))}\n`;

describe('M8 skein forget', () => {
  test('removes a session with everything in its folder, and the next index does not bring it back', async () => {
    const place = new Place();
    const log = place.write('-r/aaaa1111.jsonl', line('u1'));
    place.write('-r/aaaa1111/tool-results/x.txt', 'result');
    place.write('-r/bbbb2222.jsonl', line('u2'));
    await place.index();
    expect(place.skein('forget', 'aaaa')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(place.skein('forget', 'aaaa', '--yes')).toMatchObject({ code: 0, out: '2 files (0.2 KB) forgotten\n' });
    appendFileSync(log, line('u3'));
    place.write('-r/aaaa1111/subagents/agent-1.jsonl', line('u4'));
    expect(await place.index()).toMatchObject({ new: 0, same: 1, forgotten: 3 });
    expect(Object.keys(await place.contents())).toEqual(['-r/bbbb2222.jsonl']);
    expect(place.skein('forget', 'aaaa', '--yes')).toMatchObject({ code: 1 });
  });

  test('leaves no byte of it in any file of the data folder', async () => {
    const place = new Place();
    const noise = Array.from({ length: 400 }, (_, i) => `zq${(i * 7919 + 13).toString(36)}`).join('');
    place.write('-home-me-hidden/aaaa1111.jsonl', `${line('u1', '/home/me/hidden')}{"noise":"${noise}"}\n`);
    place.write('-r/bbbb2222.jsonl', line('u2'));
    place.write(
      '../history.jsonl',
      `{"display":"MARKER","sessionId":"aaaa1111"}\n{"display":"other","sessionId":"bbbb2222"}\n`,
    );
    await place.index();
    place.write('-home-me-hidden/aaaa1111.jsonl', line('u9', '/home/me/hidden'));
    await place.index();
    const marks = ['-home-me-hidden', 'aaaa1111'].map((mark) => Buffer.from(mark));
    const blocks = await place.with(async () => compressed(place, '-home-me-hidden'));
    expect(found(place, [...marks, ...blocks])).toBeGreaterThan(0);
    expect(place.skein('forget', '-p', '/home/me/hidden', '--yes').code).toBe(0);
    expect(found(place, [...marks, ...blocks])).toBe(0);
    await place.index();
    expect(found(place, [...marks, ...blocks])).toBe(0);
    expect(await place.contents()).toEqual({
      '-r/bbbb2222.jsonl': expect.any(String),
      '/history.jsonl': '{"display":"other","sessionId":"bbbb2222"}\n',
    });
  });

  test('leaves neither index nor pages of it, also when somebody still reads the archive as it was', () => {
    const place = new Place();
    place.write('-r/aaaa1111.jsonl', line('u1'));
    place.skein('--no-open', '--root', place.root);
    const made = () => readdirSync(place.home).filter((name) => /^(index|pages)/.test(name));
    expect(made()).toEqual(expect.arrayContaining(['index.db', expect.stringMatching(/^pages/)]));
    const reader = new DatabaseSync(join(place.home, 'archive.db'));
    reader.exec('begin; select * from file');
    expect(place.skein('forget', 'aaaa', '--yes')).toMatchObject({
      code: 2,
      err: expect.stringContaining('another program still reads'),
    });
    reader.close();
    expect(made()).toEqual([]);
  });

  test('its prompts stay out of the archived history while that grows', async () => {
    const place = new Place();
    place.write('-r/aaaa1111.jsonl', line('u1'));
    const history = place.write('../history.jsonl', `{"display":"secret","sessionId":"aaaa1111"}\n`);
    await place.index();
    place.skein('forget', 'aaaa', '--yes');
    appendFileSync(
      history,
      `{"display":"fine","sessionId":"c"}\n{"display":"secret 2","sessionId":"aaaa1111"}\n{"displ`,
    );
    await place.index();
    expect(await place.contents()).toEqual({ '/history.jsonl': '{"display":"fine","sessionId":"c"}\n' });
    appendFileSync(history, `ay":"last","sessionId":"c"}\n`);
    expect(await place.index()).toMatchObject({ appended: 1 });
    expect(await place.index()).toMatchObject({ same: 1, appended: 0 });
    expect(await place.contents()).toEqual({
      '/history.jsonl': '{"display":"fine","sessionId":"c"}\n{"display":"last","sessionId":"c"}\n',
    });
  });

  test('M7 what a history said before it was rewritten stays, where it has no prompts of it', async () => {
    const place = new Place();
    const prompt = (session: string, text: string): string =>
      `${JSON.stringify({ display: text, sessionId: session })}\n`;
    place.write('-r/aaaa1111.jsonl', line('u1'));
    for (const history of [
      prompt('cccc', 'gone since'),
      prompt('bbbb', 'other') + prompt('aaaa1111', 'secret'),
      prompt('aaaa1111', 'secret') + prompt('dddd', 'new'),
    ]) {
      place.write('../history.jsonl', history);
      await place.index();
    }
    expect(place.skein('forget', 'aaaa', '--yes').code).toBe(0);
    expect(await place.contents()).toEqual({
      '/history.jsonl~0': prompt('cccc', 'gone since'),
      '/history.jsonl': prompt('dddd', 'new'),
    });
    expect(await place.index()).toMatchObject({ same: 1, forgotten: 1 });
  });

  test('its prompts go where the root is the folder around the projects: their history is no log', async () => {
    const place = new Place();
    const around = dirname(place.root);
    place.write('-r/aaaa1111.jsonl', line('u1'));
    place.write('-r/bbbb2222.jsonl', line('u2'));
    const prompts = ['aaaa1111', 'bbbb2222'].map((session) => `{"display":"of ${session}","sessionId":"${session}"}\n`);
    place.write('../history.jsonl', prompts.join(''));
    expect(place.skein('index', '--root', around).code).toBe(0);
    expect(Object.keys(await place.contents())).toEqual(['/history.jsonl', '-r/aaaa1111.jsonl', '-r/bbbb2222.jsonl']);
    expect(JSON.parse(place.skein('projects', '--json', '--root', around).out).items).toHaveLength(1);
    expect(place.skein('forget', 'aaaa', '--yes', '--root', around).code).toBe(0);
    place.skein('index', '--root', around);
    expect(await place.contents()).toEqual({ '/history.jsonl': prompts[1], '-r/bbbb2222.jsonl': expect.any(String) });
  });

  test('its prompts also go from a history that was archived as a log', async () => {
    const place = new Place();
    place.write('-r/aaaa1111.jsonl', line('u1'));
    place.write('agent/history.jsonl', `{"display":"secret","sessionId":"aaaa1111"}\n`);
    await place.index();
    place.skein('forget', 'aaaa', '--yes');
    expect(await place.contents()).toEqual({ 'agent/history.jsonl': '' });
  });

  test('blobs of Pi go with the last session that names them', async () => {
    const place = new Place();
    const sessions = join(place.folder, 'pi', 'sessions');
    const roots = () => openRoots([sessions]);
    const [own, both] = ['a'.repeat(64), 'b'.repeat(64)];
    const entry = (id: string, ...blobs: string[]): string =>
      `${JSON.stringify({ type: 'session', version: 3, id, timestamp: '2026-01-01T00:00:00.000Z', cwd: '/r' })}\n${JSON.stringify({ type: 'message', id: `m${id}`, parentId: null, timestamp: '2026-01-01T00:00:01.000Z', message: { role: 'user', content: blobs.join(' ') } })}\n`;
    place.write('../../pi/sessions/--r--/2026-01-01T00-00-00-000Z_one.jsonl', entry('one', own, both));
    place.write('../../pi/sessions/--r--/2026-01-01T00-00-00-000Z_two.jsonl', entry('two', both));
    place.write(`../../pi/blobs/${own}`, 'own');
    place.write(`../../pi/blobs/${both}`, 'both');
    await place.index({ roots: roots() });
    await place.with(async (archive) => {
      await forgetFiles(archive, filesOfSession(archive, await archive.files({ older: true }), 'one'));
    });
    await place.index({ roots: roots() });
    expect(Object.keys(await place.contents())).toEqual([`/blobs/${both}`, '--r--/2026-01-01T00-00-00-000Z_two.jsonl']);
  });
});

describe('skein status', () => {
  test('M8 says what is archived, what is gone, and what the agent will delete when', async () => {
    const place = new Place();
    place.write('-r/aaaa1111.jsonl', line('u1'));
    place.write('-r/aaaa1111/tool-results/x.txt', 'result');
    const gone = place.write('-r/bbbb2222.jsonl', line('u2'));
    await place.index();
    rmSync(gone);
    await place.index();
    place.write('-r/cccc3333.jsonl', line('u3'));
    const { archive, deletions } = JSON.parse(place.skein('status', '--json', '--root', place.root).out);
    expect(archive).toMatchObject({ files: 3, artifacts: 1, gone: 1, gone_bytes: line('u2').length });
    expect(Date.parse(archive.last_index)).toBeGreaterThan(Date.now() - 60_000);
    expect(deletions).toMatchObject([
      { agent: 'claude-code', after_days: 30, files: 2, within_7_days: 0, unarchived: 1 },
    ]);
    place.write('../settings.json', '{"cleanupPeriodDays": 5}');
    const { out } = place.skein('status', '--root', place.root);
    expect(out).toMatch(/2 logs after 5 days, 2 within a week, the first on 20.*1 not archived as they are now/);
  });

  test('M8 says how small the archive is where it is smaller than what was written', async () => {
    const place = new Place();
    place.write('-r/aaaa1111.jsonl', line('u1'));
    await place.index();
    expect(place.skein('status').out).toMatch(/^On disk +\d+ KB$/m);
    place.write('-r/aaaa1111.jsonl', line('u1').repeat(2000));
    await place.index();
    expect(place.skein('status').out).toMatch(/^On disk .*, \d\d? % of what was written$/m);
  });

  test('M8 says so when nothing is archived', () => {
    expect(new Place().skein('status').out).toContain('nothing yet: run "skein index"');
  });
});

const found = (place: Place, marks: readonly Buffer[]): number => {
  const files = readdirSync(place.home).map((name) => readFileSync(join(place.home, name)));
  return marks.filter((mark) => files.some((bytes) => bytes.includes(mark))).length;
};

/** A piece of every compressed block of a project. */
async function compressed(place: Place, project: string): Promise<Buffer[]> {
  const database = new DatabaseSync(join(place.home, 'archive.db'));
  const rows = database
    .prepare('select data from block join file on file.id = block.file where project = ?')
    .all(project) as unknown as { data: Uint8Array }[];
  database.close();
  return rows.map(({ data }) => Buffer.from(data.subarray(20, 60)));
}
