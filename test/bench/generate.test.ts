import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileSizes } from '../../bench/generate/file-sizes.ts';
import { type GenerateOptions, generateProjects, writeProjects } from '../../bench/generate/index.ts';
import { profileFolder } from '../../bench/generate/profile.ts';
import { checkProject, History, type Project } from '../../src/history/index.ts';
import type { LogRecord, Session } from '../../src/model/index.ts';

const MIB = 1048576;
const SMALL: GenerateOptions = { bytes: 2 * MIB, seed: 7 };

function* textOf(options: GenerateOptions): Generator<string> {
  for (const { path, lines } of generateProjects(options)) {
    yield path;
    yield* lines;
  }
}

describe('a generated corpus of 2 MiB', () => {
  let folder: string;
  let projects: readonly Project[];
  let sessions: Session[];
  let records: LogRecord[];
  const lines: string[] = [];

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'skein-generate-'));
    writeProjects(folder, SMALL);
    projects = History.open({ roots: [folder] }).projects;
    sessions = projects.flatMap((project) => project.sessions().map(({ facts }) => facts));
    records = projects.flatMap(({ logs }) => logs.flatMap((each) => [...each.read().tree.allRecords()]));
    lines.push(...textOf(SMALL));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const has = (...parts: readonly string[]): boolean =>
    lines.some((line) => parts.every((part) => line.includes(part)));

  test('has the same bytes for the same seed, and others for another', () => {
    expect([...textOf(SMALL)].join('\n') === lines.join('\n')).toBe(true);
    expect([...textOf({ ...SMALL, seed: 8 })].join('\n') === lines.join('\n')).toBe(false);
  });

  test('H23 is accounted for line by line', () => {
    for (const project of projects) {
      const { lines: all, accounted } = checkProject(project);
      expect(Object.values(accounted).reduce((sum, count) => sum + count, 0)).toBe(all);
    }
  });

  test('H14 branches where a human went back', () => {
    expect(sessions.some(({ threads }) => threads.length > 1)).toBe(true);
  });

  test('is compacted with a boundary and a summary', () => {
    expect(records.some(({ kind, lines: own }) => kind === 'compaction' && own.length === 2)).toBe(true);
  });

  test('H12 has sub-agents in both layouts, each with the call that started it', () => {
    const found = sessions.flatMap(({ subagents }) => subagents);
    expect(found.every(({ spawn }) => spawn !== null)).toBe(true);
    expect(found.some(({ files }) => files[0]?.includes('/subagents/'))).toBe(true);
    expect(found.some(({ files }) => !files[0]?.includes('/subagents/'))).toBe(true);
  });

  test('H3 has answers whose results come between their calls and out of order', () => {
    const several = records.filter(({ calls }) => calls.length > 1);
    expect(several.some(({ calls }) => calls.some(({ at, result }, i) => isBefore(result, calls[i + 1]?.at, at)))).toBe(
      true,
    );
    expect(several.some(({ calls }) => calls.some(({ result }, i) => isBefore(calls[i + 1]?.result, result)))).toBe(
      true,
    );
  });

  test('H5 has prompts that waited in the queue', () => {
    expect(records.some(({ lines: own }) => own.some(({ as }) => as === 'queue'))).toBe(true);
    expect(has('"queued_command"')).toBe(true);
  });

  test('H8 has a session that an old version copied into a new file', () => {
    expect(sessions.some(({ files }) => files.length > 1)).toBe(true);
    expect(records.some(({ copies }) => copies.length > 0)).toBe(true);
  });

  test('has images, hooks and commands', () => {
    expect(has('"type":"image"', '"media_type":"image/png"')).toBe(true);
    expect(has('"hook_success"')).toBe(true);
    expect(has('<command-name>')).toBe(true);
  });

  test('H18 is damaged: a torn last line, a broken line, a type nobody knows', () => {
    const types = projects.flatMap((project) => checkProject(project).findings.map(({ type }) => type));
    expect(types).toEqual(expect.arrayContaining(['torn_last_line', 'unparsable_line', 'unknown_record_type']));
  });

  test('has nothing else to report: its lines have the shape of real ones', () => {
    const odd = projects.flatMap((project) => checkProject(project).findings.map(({ type }) => type));
    expect(odd.filter((type) => type === 'unexpected_attributes' || type === 'unexpected_content_shape')).toEqual([]);
  });
});

type Place = { readonly line: number } | null | undefined;
const isBefore = (a: Place, b: Place, after: Place = a): boolean =>
  a != null && b != null && after != null && a.line < b.line && after.line <= a.line;

const isWithin = (tolerance: number, value: number, expected: number): boolean =>
  Math.abs(value / expected - 1) <= tolerance;

describe('the profile of a generated corpus', () => {
  test('has the measured file sizes', () => {
    const sizes = fileSizes(1239 * MIB);
    const at = (share: number): number => sizes[Math.floor(sizes.length * (1 - share))] ?? 0;
    expect(sizes.length).toBe(3142);
    expect(isWithin(0.1, at(0.5), 105_000)).toBe(true);
    expect(isWithin(0.1, at(0.99), 5_400_000)).toBe(true);
    expect(isWithin(0.1, sizes[0] ?? 0, 87_000_000)).toBe(true);
  });

  test.each([
    { lineBytes: 3000, text: [0.22, 0.32] },
    { lineBytes: 800, text: [0.08, 0.2] },
  ])('is within 15 % at $lineBytes bytes a line', ({ lineBytes, text: [least = 0, most = 1] }) => {
    const folder = mkdtempSync(join(tmpdir(), 'skein-generate-'));
    writeProjects(folder, { bytes: 12 * MIB, lineBytes });
    const profile = profileFolder(folder);
    rmSync(folder, { recursive: true, force: true });
    expect(isWithin(0.05, profile.bytes, 12 * MIB)).toBe(true);
    expect(isWithin(0.15, profile.bytesPerLine, lineBytes)).toBe(true);
    expect(profile.textShare).toBeGreaterThan(least);
    expect(profile.textShare).toBeLessThan(most);
  });

  test('has a vocabulary that grows with its size, but slower', () => {
    const folder = mkdtempSync(join(tmpdir(), 'skein-generate-'));
    writeProjects(join(folder, 'small'), { bytes: 2 * MIB });
    writeProjects(join(folder, 'large'), { bytes: 8 * MIB });
    const growth = profileFolder(join(folder, 'large')).vocabulary / profileFolder(join(folder, 'small')).vocabulary;
    rmSync(folder, { recursive: true, force: true });
    expect(growth).toBeGreaterThan(1.8);
    expect(growth).toBeLessThan(3.5);
  });
});
