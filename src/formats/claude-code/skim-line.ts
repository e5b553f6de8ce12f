import { type FileFacts, type Line, NO_TIES, type Skim, type Ties } from '../../model/index.ts';
import { openFile } from './reader.ts';
import { skimUsual } from './skim-usual.ts';

/** Nearly all lines look alike at both ends and are told from there; any other is parsed. */
export function openSkim(file: FileFacts): Skim {
  const reader = openFile(file, undefined, { survey: false, blocks: false });
  // In a sub-agent's file everything is its own, whatever the lines say.
  const isOwn = file.role === 'subagent';
  return (bytes, ref, cut = false, torn = false) => {
    const usual = isOwn || cut || torn ? null : skimUsual(bytes);
    return usual ?? tiesOf(reader.next(bytes, ref, cut, torn).line);
  };
}

function tiesOf(line: Line): Ties {
  if (line.in === 'bookkeeping') return line.fact.type === 'leaf' ? { ...NO_TIES, leaf: line.fact.about } : NO_TIES;
  // What stands in the queue hangs on nothing.
  if (line.in !== 'chain' || line.more?.loose) return NO_TIES;
  const { key, parent, place, subagent } = line;
  return {
    key,
    parent,
    aside: subagent !== null,
    part: place.as === 'part' ? place.of : null,
    results: place.as === 'result' ? place.of.map(({ call }) => call) : [],
    leaf: null,
  };
}
