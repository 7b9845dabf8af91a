import { draw } from 'lib/draw';

/** The 16 preset questions, the same as the server's: shown where the server suggests fewer than four (SPEC 2, 9). */
export const PRESETS: readonly string[] = [
  'What is the total amount of our open deals?',
  'What is the total amount of open deals by stage?',
  'What are our 10 largest open deals?',
  'How many deals did we win last quarter?',
  'What was the total amount of won deals in each of the last 12 months?',
  'How does the amount of won deals this quarter compare with last quarter?',
  'What is our win rate by owner this year?',
  'Who are the top 5 owners by amount of won deals this year?',
  'What is the average amount of a won deal by quarter?',
  'How many deals were created each month this year?',
  'Which industries bring in the largest amount of won deals?',
  'How many meetings did each owner hold last month?',
  'How many emails were sent per week in the last quarter?',
  'How many open tickets are there by priority?',
  'How many customers churned in each quarter?',
  'How much did we win against target in each quarter this year?',
];

/** `n` of the server's suggestions at random, padded from the presets. */
export function exampleQuestions(
  suggestions: readonly string[],
  n: number,
  random: () => number = Math.random,
): string[] {
  const drawn = draw(suggestions, n, random);
  const spare = PRESETS.filter((question) => !drawn.includes(question));
  return [...drawn, ...draw(spare, n - drawn.length, random)];
}
