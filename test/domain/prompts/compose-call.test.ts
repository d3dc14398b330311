/* The bounds of an activity's call, and the notes on what was omitted. */
import { describe, expect, test } from 'vitest';
import type { DependencyResult } from '../../../domain/types/attempt.ts';
import { boundCall } from '../../../domain/prompts/compose-call.ts';

const result = (id: string, size: number): DependencyResult => ({
  id,
  status: 'success',
  notes: 'n'.repeat(size),
  deliverables: ['d'.repeat(size)],
  preview: 'p'.repeat(size),
  files: [{ path: 'f'.repeat(size), sha256: null }],
});

const results = Array.from({ length: 10 }, (_, index) => result(`s${index}`, 100));
const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const room = (inputs: number) => ({ prompt: 10_000, inputs });

describe('the inputs of a call', () => {
  test('stay as they are when they fit', () => {
    expect(boundCall('do it', results, room(bytes(results)))).toEqual({
      prompt: 'do it',
      inputs: results,
      bytes: bytes('do it') + bytes(results),
    });
  });

  test('lose previews first, then notes, and the prompt mentions it', () => {
    const once = boundCall('do it', results, room(bytes(results) - 1));
    expect(once.inputs[0]).toEqual({ ...results[0], preview: '' });
    expect(once.prompt).toBe('do it\n\nThe inputs were too large for one message and lack the previews of outputs.');
    const twice = boundCall('do it', results, room(bytes(once.inputs) - 1));
    expect(twice.inputs[0]).toEqual({ ...results[0], preview: '', notes: '' });
    expect(twice.prompt).toContain('lack the previews of outputs, notes.');
  });

  test('always fit, and the prompt counts those that are left', () => {
    const { inputs, prompt } = boundCall('do it', results, room(200));
    expect(bytes(inputs)).toBeLessThanOrEqual(200);
    expect(inputs.length).toBeGreaterThan(0);
    expect(prompt).toContain(`They hold only ${inputs.length} of 10 results.`);
  });
});

describe('the prompt of a call', () => {
  test('is cut between characters, within its bytes, and mentions that it was', () => {
    const { prompt } = boundCall('ü👍'.repeat(1_000), [], { prompt: 500, inputs: 100 });
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(500);
    expect(Buffer.byteLength(prompt)).toBeGreaterThan(490);
    expect(prompt.isWellFormed()).toBe(true);
    expect(prompt).toMatch(/^ü👍.*\n\nThis text was too long for one message: its end is missing\.$/s);
  });

  test('keeps the note about the inputs when it is cut', () => {
    const { prompt } = boundCall('x'.repeat(2_000), results, { prompt: 800, inputs: 200 });
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(800);
    expect(prompt).toContain('of 10 results.\n\nThis text was too long');
  });
});
