/** Some models print their thinking before the answer; drafts inside it are not answers. */
const thoughts = /<(think|thinking|thought|reasoning|scratchpad)>[\s\S]*?(?:<\/\1>|$)/gi;

export const withoutThoughts = (text: string): string => text.replace(thoughts, ' ');
