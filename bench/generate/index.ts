import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Style } from './conversation.ts';
import { damageLines } from './damage.ts';
import { planCorpus } from './plan.ts';
import { Random } from './random.ts';
import { sidecarOf, writeAgent, writeSession } from './session.ts';

export interface GenerateOptions {
  /** Size of all transcripts together, within a few per cent. */
  readonly bytes: number;
  /** Equal options give equal bytes. */
  readonly seed?: number;
  /** Mean length of a line; 3,000 as in the logs that were measured, unless told. */
  readonly lineBytes?: number;
  /** So many transcripts, instead of as many as the profile has. */
  readonly files?: number;
}

export interface GeneratedFile {
  /** Below the `projects` folder, with `/`. */
  readonly path: string;
  /** Each with its newline, made one by one; can be gone through once. */
  readonly lines: Iterable<string>;
}

/** Claude Code projects as one user has them, file by file, line by line: nothing is held but the line being made. */
export function* generateProjects(options: GenerateOptions): Generator<GeneratedFile> {
  const { bytes, seed = 1, lineBytes = 3000, files } = options;
  const style = styleFor(lineBytes);
  for (const plan of planCorpus(bytes, `${seed}`, files)) {
    const folder = plan.project;
    const lines = damageLines(writeSession(plan, style), plan.damage, new Random(`${plan.id}/damage`));
    yield { path: `${folder}/${plan.id}.jsonl`, lines };
    if (plan.resumed) continue;
    for (const agent of plan.agents) {
      const path =
        agent.layout === 'beside' ? `${folder}/agent-${agent.id}` : `${folder}/${plan.id}/subagents/agent-${agent.id}`;
      yield { path: `${path}.jsonl`, lines: writeAgent(agent, plan, style) };
      if (agent.layout === 'folder') yield { path: `${path}.meta.json`, lines: [sidecarOf(agent)] };
    }
  }
}

/** Writes the projects below a folder, as `~/.claude/projects` has them. */
export function writeProjects(folder: string, options: GenerateOptions): void {
  for (const { path, lines } of generateProjects(options)) writeLines(join(folder, path), lines);
}

const PIECE = 1 << 18;

export function writeLines(path: string, lines: Iterable<string>): void {
  mkdirSync(dirname(path), { recursive: true });
  const handle = openSync(path, 'w');
  let piece = '';
  for (const line of lines) {
    piece += line;
    if (piece.length < PIECE) continue;
    writeSync(handle, piece);
    piece = '';
  }
  writeSync(handle, piece);
  closeSync(handle);
}

/** An envelope has about this length, whatever is said in it; the rest grows with the scale. Found by measuring. */
function styleFor(lineBytes: number): Style {
  const lean = lineBytes < 1500;
  const envelope = lean ? 650 : 700;
  return { lean, scale: Math.max(0.01, (lineBytes - envelope) / 2300) };
}
