import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug } from '../src/slug.js';

test('spaces become hyphens', () => assert.equal(slug('All of the above'), 'all-of-the-above'));

test('punctuation is dropped', () => assert.equal(slug('Hello, World!'), 'hello-world'));

test('nothing stands at the ends', () => assert.equal(slug('  What now? '), 'what-now'));
