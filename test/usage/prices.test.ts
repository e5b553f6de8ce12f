import { describe, expect, test } from 'vitest';
import type { Usage } from '../../src/model/index.ts';
import {
  costOf,
  priceOf,
  readModelName,
  readPrices,
  shippedPrices,
  sumUsage,
  windowOf,
} from '../../src/usage/index.ts';

const usage = (model: string, more: Partial<Usage> = {}): Usage => ({
  key: 'k',
  model,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  costUsd: null,
  ...more,
});
const M = 1_000_000;
const cost = (model: string, more: Partial<Usage>): number | null => costOf(usage(model, more), shippedPrices);

describe('prices.md: what a million tokens cost', () => {
  test.each([
    ['claude-3-haiku-20240307', [0.25, 1.25, 0.3, 0.5, 0.03]],
    ['claude-3-5-haiku-20241022', [0.8, 4, 1, 1.6, 0.08]],
    ['claude-haiku-4-5-20251001', [1, 5, 1.25, 2, 0.1]],
    ['claude-3-sonnet-20240229', [3, 15, 3.75, 6, 0.3]],
    ['claude-3-5-sonnet-20241022', [3, 15, 3.75, 6, 0.3]],
    ['claude-3-7-sonnet-20250219', [3, 15, 3.75, 6, 0.3]],
    ['claude-sonnet-4-20250514', [3, 15, 3.75, 6, 0.3]],
    ['claude-sonnet-4-5-20250929', [3, 15, 3.75, 6, 0.3]],
    ['claude-sonnet-4-6', [3, 15, 3.75, 6, 0.3]],
    ['claude-3-opus-20240229', [15, 75, 18.75, 30, 1.5]],
    ['claude-opus-4-20250514', [15, 75, 18.75, 30, 1.5]],
    ['claude-opus-4-1-20250805', [15, 75, 18.75, 30, 1.5]],
    ['claude-opus-4-5-20251101', [5, 25, 6.25, 10, 0.5]],
    ['claude-opus-4-6', [5, 25, 6.25, 10, 0.5]],
    ['claude-opus-4-7', [5, 25, 6.25, 10, 0.5]],
    ['claude-opus-4-8', [5, 25, 6.25, 10, 0.5]],
    ['claude-fable-5', [10, 50, 12.5, 20, 1]],
  ])('C13 %s', (model, prices) => {
    const fields = ['input', 'output', 'cacheWrite5m', 'cacheWrite1h', 'cacheRead'] as const;
    expect(fields.map((field) => cost(model, { [field]: M }))).toEqual(prices.map((price) => expect.closeTo(price, 9)));
  });

  test.each([
    'claude-opus-4-6-20260105',
    'claude-opus-4.6',
    'claude-opus-4-6@20260105',
    'claude-opus-4-6[1m]',
    'claude-opus-4-6-thinking',
    'claude-opus-4-6-latest',
    'us.anthropic.claude-opus-4-6-v1:0',
    'anthropic.claude-opus-4-6-20260105-v1:0',
    'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-4-6-v1:0',
    'publishers/anthropic/models/claude-opus-4-6@20260105',
    'anthropic/claude-opus-4.6',
    'openrouter/anthropic/claude-opus-4.6:thinking',
    'CLAUDE-OPUS-4-6',
  ])('C12 C13 %s is the same model', (model) => {
    expect(readModelName(model)).toMatchObject({ id: model, family: 'opus', version: '4.6', label: 'Opus 4.6' });
    expect(cost(model, { input: M })).toBe(5);
  });

  test('C13 a version is not taken for a shorter one', () => {
    expect(cost('claude-opus-4-5', { input: M })).toBe(5);
    expect(cost('claude-opus-4', { input: M })).toBe(15);
    expect(cost('claude-opus-4-9', { input: M })).toBeNull();
    expect(cost('claude-opus-41', { input: M })).toBeNull();
  });

  test('C13 fast answers cost a multiple, by model', () => {
    expect(cost('claude-opus-4-6', { input: M, fast: true })).toBe(30);
    expect(cost('claude-opus-4-7', { input: M, fast: true })).toBe(30);
    expect(cost('claude-opus-4-8', { input: M, fast: true })).toBe(10);
    expect(cost('claude-sonnet-4-6', { input: M, fast: true })).toBe(3);
  });

  test('C13 an unknown model has no cost, which is not 0', () => {
    for (const model of ['gpt-5.2-codex', 'claude-x', '<synthetic>', '', 'constructor', '__proto__', 'toString hasOwn'])
      expect(cost(model, { input: M }), model).toBeNull();
  });

  test('C13 what the agent itself wrote down wins, also 0', () => {
    expect(cost('claude-opus-4-6', { input: M, costUsd: 0.25 })).toBe(0.25);
    expect(cost('gemini-3-pro', { input: M, costUsd: 0 })).toBe(0);
  });

  test('C13 one unknown model makes a sum unknown; what is known and who is not is told', () => {
    const sum = sumUsage([usage('claude-opus-4-6', { input: M }), usage('b'), usage('a'), usage('b')], shippedPrices);
    expect(sum).toMatchObject({ responses: 4, costUsd: null, knownCostUsd: 5, unknownModels: ['a', 'b'] });
  });

  test('the window of a model: what its name says, else the smallest that the tokens fit in', () => {
    expect(windowOf('claude-sonnet-4-5', 100_000, shippedPrices)).toBe(200_000);
    expect(windowOf('claude-sonnet-4-5', 300_000, shippedPrices)).toBe(M);
    expect(windowOf('claude-sonnet-4-5[1m]', 10, shippedPrices)).toBe(M);
    expect(windowOf('claude-opus-4-6', 10, shippedPrices)).toBe(M);
    expect(windowOf('gpt-5', 10, shippedPrices)).toBeNull();
  });
});

describe('C12: names of models', () => {
  test.each([
    ['claude-3-5-haiku-20241022', 'haiku', '3.5', 'Haiku 3.5'],
    ['claude-sonnet-4-20250514', 'sonnet', '4', 'Sonnet 4'],
    ['claude-fable-5', 'fable', '5', 'Fable 5'],
    ['gpt-5.2-codex', 'gpt', '5.2', 'gpt-5.2-codex'],
    ['openai/gpt-5', 'gpt', '5', 'gpt-5'],
    ['gemini-3-pro-preview', 'gemini', '3', 'gemini-3-pro-preview'],
    ['glm-4.6', 'glm', '4.6', 'glm-4.6'],
    ['o3', 'o', '3', 'o3'],
    ['my-model', 'my', '', 'my-model'],
    ['', '', '', ''],
  ])('C12 %s', (id, family, version, label) => {
    expect(readModelName(id)).toEqual({ id, family, version, label });
  });
});

describe('readPrices: a file laid over the shipped prices', () => {
  const read = (file: unknown) => readPrices(typeof file === 'string' ? file : JSON.stringify(file), 'my.json');

  test('C13 a price for a name, and one for a family and version; the rest stays', () => {
    const table = read({
      date: '2026-11',
      models: { 'my-model': { input: 2, output: 8 }, 'opus 4.6': { input: 4, output: 20 } },
    });
    expect(table.date).toBe('2026-11');
    expect(priceOf('my-model', table)).toEqual({
      input: 2,
      output: 8,
      cacheWrite5m: 2.5,
      cacheWrite1h: 4,
      cacheRead: 0.2,
      fast: 1,
      context: null,
    });
    expect(priceOf('claude-opus-4-6-20260105', table)?.input).toBe(4);
    expect(priceOf('claude-haiku-4-5', table)?.input).toBe(1);
  });

  test('C13 a price for `claude-opus-4-9` holds for all its names', () => {
    const table = read({ models: { 'claude-opus-4-9': { input: 6, output: 30 } } });
    for (const model of [
      'claude-opus-4-9',
      'claude-opus-4-9-20261101',
      'us.anthropic.claude-opus-4-9-v1:0',
      'claude-opus-4.9[1m]',
    ])
      expect(priceOf(model, table)?.input, model).toBe(6);
  });

  test('C13 a price by a full name beats the shipped one of its version', () => {
    const table = read({ models: { 'claude-opus-4-6': { input: 1, output: 1 } } });
    expect(priceOf('claude-opus-4-6', table)?.input).toBe(1);
    expect(priceOf('claude-opus-4-6-20260105', table)?.input).toBe(1);
  });

  test.each([
    ['{', /^my\.json is not a price table: .*JSON/],
    ['null', /no object "models"/],
    ['[]', /no object "models"/],
    [{ models: [] }, /no object "models"/],
    [{ models: { a: null } }, /"a" needs input and output/],
    [{ models: { a: { input: 1 } } }, /"a" needs input and output/],
    [{ models: { a: { input: '1', output: 2 } } }, /"input" of "a" is not a number from 0/],
    [{ models: { a: { input: -1, output: 2 } } }, /"input" of "a" is not a number from 0/],
    [{ models: { a: { input: 1, output: 2, price: 3 } } }, /"a" has a field "price"; known are input, output/],
    [{ models: { a: 5 } }, /"a" needs input and output/],
  ])('bad input %j is told with what is wrong', (file, message) => {
    expect(() => read(file)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringMatching(message) }),
    );
  });
});
