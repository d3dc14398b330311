/** Thoughts that some models show before their answer: drafts in them are none. */
const thoughts = /<(think|thinking|thought|reasoning|scratchpad)>[\s\S]*?(?:<\/\1>|$)/gi;

export const withoutThoughts = (text: string): string => text.replace(thoughts, ' ');
