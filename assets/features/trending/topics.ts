/** The lexicon of Trending Topics (SPEC 9): topics, the prompts of each, and the questions a prompt may put in. */

import { topics } from 'api/topics';

export interface Prompt {
  title: string;
  questions: readonly string[];
}

export interface Topic {
  title: string;
  prompts: readonly Prompt[];
}

export const TOPICS: readonly Topic[] = topics;
