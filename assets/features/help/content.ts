/** The words of the help document. `product` is the product's name. */

export const helpTitle = (product: string) => `How to Make the Most of ${product}`;

export const ASKING: readonly { title: string; questions: readonly string[] }[] = [
  {
    title: 'One figure',
    questions: [
      'What is the total amount of our open deals?',
      'How many deals did we win last quarter?',
      'What is our win rate this year?',
    ],
  },
  {
    title: 'Split, ranked or over time',
    questions: [
      'Amount of won deals by owner this year',
      'What are our 10 largest open deals?',
      'Won amount per month in the last 12 months as a line chart',
    ],
  },
  {
    title: 'Compared',
    questions: [
      'How does the amount of won deals this quarter compare with last quarter?',
      'Average deal size by industry, this year against last year',
    ],
  },
  {
    title: 'In depth',
    questions: [
      'Is there a correlation between deal amount and days to close?',
      'Show the distribution of deal amounts as a bar chart',
    ],
  },
];

type Points = (product: string) => readonly (readonly [string, string])[];

export const TRUST: Points = (product) => [
  [
    'Figures are computed, never guessed',
    `${product} first turns your question into a plan: which data, which filters, which calculation. The plan is run on all rows of your data, and the text quotes its result. No figure is made up by a language model.`,
  ],
  [
    'Everything can be checked',
    'Below each answer stand its sources, their rows and when they were refreshed. “How this was computed” opens the filters, the definitions and the query that was run, so that anyone can repeat it.',
  ],
  [
    'It says how it read your question',
    '“Read as” under each answer names the figure, the grouping, the filters, the period with its date and the files. A part with an arrow could mean something else: open it, see the figure each reading would give, and pick one. The answer changes in place, and the former one stays a click away. “Always” keeps your choice for everyone. Words that found no place are underlined in your question.',
  ],
  [
    'It reads along while you type',
    'Below the message box stands how your question would be read so far, and which words have no place yet. Columns, stored values, periods and your own words are completed: choose with the arrow keys, take with Enter. Nothing of it is sent to a language model, and “Preview while typing” under Settings turns it off.',
  ],
  [
    'It says what it cannot answer',
    'If your data does not hold what you ask for, the answer says which word it does not know, asks what you mean by it, and offers the nearest questions that it can answer. Important figures still deserve a second look: read the evidence before you build a decision on them.',
  ],
  [
    'Tell us how it went',
    'A thumb under an answer takes one click, and you can add a few words. They are read, and they decide what is improved next.',
  ],
];

export const DATA: Points = (product) => [
  [
    'Bring files',
    'Manage Data takes .csv and .xlsx files, up to 200\u00a0MB each: press Upload New File, or drop them on the panel. A workbook with several sheets gives one source for each sheet.',
  ],
  [
    'What reads well',
    'One table per sheet with one row of headings, one record per row, dates and amounts in columns of their own. Titles above the table, totals below it, decimal commas and mixed date forms are dealt with, and the preview tells what was done.',
  ],
  [
    'Look inside',
    'A click on a file shows its first rows, every column with the spread of its values and how many are missing, and notes on how it was read. From there you can download the original.',
  ],
  [
    'Keep it fresh',
    'Replace file puts a newer version in the place of a file: its name, its context and your threads stay, and a notice in older threads says that the data has been refreshed.',
  ],
  [
    'Choose the files yourself',
    `${product} picks the files that a question needs. To decide yourself, press the paper clip in the message input and choose them; it stays highlighted as long as they are chosen.`,
  ],
  [
    'Who sees it',
    'Files belong to your organization: its members can ask about them, and nobody outside can see them. Only you or an admin can delete what you uploaded.',
  ],
];

export const WORDS: Points = (product) => [
  [
    'Keywords',
    'Under Settings, teach it the words of your company: “ARR”, “strategic account”, “the North team”. Define each in one sentence; questions are then read with your definition.',
  ],
  [
    'Company Intake and file context',
    'Write down what a new colleague would have to be told: when your fiscal year starts, what counts as won, what a short column name means. The pencil beside a file does the same for that file.',
  ],
  [
    'Response Style',
    'Standard gives the answer and a short explanation, Concise little more than the figure, Explanatory the reasoning as well.',
  ],
  [
    'Charts',
    `Each chart has buttons for its type, its colors and a picture to download; “Show as table” gives the figures behind it. Chart Formatting sets your three colors and how titles and labels look in every chart that ${product} draws for you.`,
  ],
  [
    'Tables',
    'Click a heading to sort. Copy, CSV and XLSX take the table into your spreadsheet with its exact values.',
  ],
];

export const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['Enter'], does: 'Send the message' },
  { keys: ['Shift', 'Enter'], does: 'Start a new line' },
  { keys: ['Up'], does: 'Take the last question again, in an empty message input' },
  { keys: ['/'], does: 'Go to the message input' },
  { keys: ['Mod', 'K'], does: 'Search the history' },
  { keys: ['Mod', 'Shift', 'O'], does: 'Start a new chat' },
  { keys: ['Mod', 'B'], does: 'Make the menu large or small' },
  { keys: ['Esc'], does: 'Close the topmost popup or panel' },
];

const apple = /mac|iphone|ipad/i.test(navigator.userAgent);

/** A key as it is printed on this machine's keyboard. */
export function keyText(key: string): string {
  if (key === 'Mod') return apple ? '⌘' : 'Ctrl';
  return key === 'Up' ? '↑' : key;
}
