/* Replies as the four services send them: one thought, one text, one call. Streams are in the pieces in which they arrive. */
import type { ProviderKind } from '../../../../domain/types/llm.ts';

export interface SpokenReply {
  kind: Exclude<ProviderKind, 'scripted'>;
  path: string;
  streamType: string;
  pieces: string[];
  whole: unknown;
  /** The note that the service wants back with its thought. */
  thoughtNote: unknown;
  usage: { input: number; output: number; cached: number; reasoning: number };
}

export const thought = 'I should look at the file.';
export const replyText = 'Let me read it. Grüße!';
export const args = '{"path": "notes.md"}';

const event = (data: { type: string; [key: string]: unknown }): string =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;

const anthropicMessage = { id: 'msg_01', type: 'message', role: 'assistant', model: 'claude-haiku-4-5-20251001' };

const anthropic: SpokenReply = {
  kind: 'anthropic',
  path: '/v1/messages',
  streamType: 'text/event-stream; charset=utf-8',
  pieces: [
    event({
      type: 'message_start',
      message: {
        ...anthropicMessage,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 90, cache_creation_input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 2 },
      },
    }),
    event({ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
    event({ type: 'ping' }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I should look ' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'at the file.' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQBCgIYAg==' } }),
    event({ type: 'content_block_stop', index: 0 }),
    event({ type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } }),
    event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Let me read it. ' } }),
    event({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Grüße!' } }),
    event({ type: 'content_block_stop', index: 1 }),
    event({
      type: 'content_block_start',
      index: 2,
      content_block: { type: 'tool_use', id: 'toolu_01', name: 'read_file', input: {} },
    }),
    event({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '' } }),
    event({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"path": ' } }),
    event({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '"notes.md"}' } }),
    event({ type: 'content_block_stop', index: 2 }),
    event({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: { output_tokens: 40 },
    }),
    event({ type: 'message_stop' }),
  ],
  whole: {
    ...anthropicMessage,
    content: [
      { type: 'thinking', thinking: thought, signature: 'EqQBCgIYAg==' },
      { type: 'text', text: replyText },
      { type: 'tool_use', id: 'toolu_01', name: 'read_file', input: { path: 'notes.md' } },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 90, cache_creation_input_tokens: 0, cache_read_input_tokens: 10, output_tokens: 40 },
  },
  thoughtNote: { anthropic: { signature: 'EqQBCgIYAg==' } },
  usage: { input: 100, output: 40, cached: 10, reasoning: 0 },
};

const chatChunk = (delta: object, finish: string | null = null): string =>
  data({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'llama',
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const chatUsage = {
  prompt_tokens: 100,
  completion_tokens: 40,
  total_tokens: 140,
  prompt_tokens_details: { cached_tokens: 10 },
  completion_tokens_details: { reasoning_tokens: 8 },
};

const chat: SpokenReply = {
  kind: 'openai-compatible',
  path: '/v1/chat/completions',
  streamType: 'text/event-stream',
  pieces: [
    ': OPENROUTER PROCESSING\n\n',
    chatChunk({ role: 'assistant', content: '' }),
    chatChunk({ reasoning_content: 'I should look ' }),
    chatChunk({ reasoning_content: 'at the file.' }),
    chatChunk({ content: 'Let me read it. ' }),
    chatChunk({ content: 'Grüße!' }),
    chatChunk({
      tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '' } }],
    }),
    chatChunk({ tool_calls: [{ index: 0, function: { arguments: '{"path": ' } }] }),
    chatChunk({ tool_calls: [{ index: 0, function: { arguments: '"notes.md"}' } }] }),
    chatChunk({}, 'tool_calls'),
    data({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1_700_000_000,
      model: 'llama',
      choices: [],
      usage: chatUsage,
    }),
    'data: [DONE]\n\n',
  ],
  whole: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'llama',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: replyText,
          reasoning_content: thought,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read_file', arguments: args } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: chatUsage,
  },
  thoughtNote: undefined,
  usage: { input: 100, output: 40, cached: 10, reasoning: 8 },
};

const reasoningItem = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: thought }],
  encrypted_content: 'gAAAAABo',
};
const messageItem = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: replyText, annotations: [], logprobs: [] }],
};
const callItem = {
  id: 'fc_1',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_1',
  name: 'read_file',
  arguments: args,
};
const response = (done: boolean): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: done ? 'completed' : 'in_progress',
  error: null,
  incomplete_details: null,
  model: 'gpt-5-2025-08-07',
  output: done ? [reasoningItem, messageItem, callItem] : [],
  reasoning: { effort: 'high', summary: null },
  store: false,
  usage: done
    ? {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 10 },
        output_tokens: 40,
        output_tokens_details: { reasoning_tokens: 8 },
        total_tokens: 140,
      }
    : null,
});

const responses: SpokenReply = {
  kind: 'openai',
  path: '/v1/responses',
  streamType: 'text/event-stream; charset=utf-8',
  pieces: (
    [
      { type: 'response.created', response: response(false) },
      { type: 'response.in_progress', response: response(false) },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { ...reasoningItem, summary: [], encrypted_content: '' },
      },
      {
        type: 'response.reasoning_summary_part.added',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      },
      {
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        delta: 'I should look ',
      },
      {
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        delta: 'at the file.',
      },
      {
        type: 'response.reasoning_summary_text.done',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        text: thought,
      },
      {
        type: 'response.reasoning_summary_part.done',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        part: { type: 'summary_text', text: thought },
      },
      { type: 'response.output_item.done', output_index: 0, item: reasoningItem },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { ...messageItem, status: 'in_progress', content: [] },
      },
      {
        type: 'response.content_part.added',
        item_id: 'msg_1',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: '', annotations: [] },
      },
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 1,
        content_index: 0,
        delta: 'Let me read it. ',
        logprobs: [],
      },
      {
        type: 'response.output_text.delta',
        item_id: 'msg_1',
        output_index: 1,
        content_index: 0,
        delta: 'Grüße!',
        logprobs: [],
      },
      {
        type: 'response.output_text.done',
        item_id: 'msg_1',
        output_index: 1,
        content_index: 0,
        text: replyText,
        logprobs: [],
      },
      {
        type: 'response.content_part.done',
        item_id: 'msg_1',
        output_index: 1,
        content_index: 0,
        part: { type: 'output_text', text: replyText, annotations: [] },
      },
      { type: 'response.output_item.done', output_index: 1, item: messageItem },
      {
        type: 'response.output_item.added',
        output_index: 2,
        item: { ...callItem, status: 'in_progress', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: '{"path": ' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 2, delta: '"notes.md"}' },
      { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 2, arguments: args },
      { type: 'response.output_item.done', output_index: 2, item: callItem },
      { type: 'response.completed', response: response(true) },
    ] satisfies { type: string; [key: string]: unknown }[]
  ).map((one, index) => event({ ...one, sequence_number: index })),
  whole: response(true),
  thoughtNote: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'gAAAAABo' } },
  usage: { input: 100, output: 40, cached: 10, reasoning: 8 },
};

const line = (message: object, ending: object = { done: false }): string =>
  `${JSON.stringify({ model: 'llama', created_at: '2025-11-01T10:00:00Z', message: { role: 'assistant', content: '', ...message }, ...ending })}\n`;
const ollamaEnd = {
  done: true,
  done_reason: 'stop',
  total_duration: 4_883_583_458,
  prompt_eval_count: 100,
  eval_count: 40,
};
const ollamaCall = { tool_calls: [{ function: { name: 'read_file', arguments: { path: 'notes.md' } } }] };

const ollama: SpokenReply = {
  kind: 'ollama',
  path: '/api/chat',
  streamType: 'application/x-ndjson',
  pieces: [
    line({ thinking: 'I should look ' }),
    line({ thinking: 'at the file.' }),
    line({ content: 'Let me read it. ' }),
    line({ content: 'Grüße!' }),
    line(ollamaCall),
    line({}, ollamaEnd),
  ],
  whole: JSON.parse(line({ thinking: thought, content: replyText, ...ollamaCall }, ollamaEnd)) as unknown,
  thoughtNote: undefined,
  usage: { input: 100, output: 40, cached: 0, reasoning: 0 },
};

export const spoken: readonly SpokenReply[] = [anthropic, chat, responses, ollama];
