/** The lexicon of Trending Topics (SPEC 9): topics, the prompts of each, and the questions a prompt may put in. */

export interface Prompt {
  title: string;
  questions: readonly [string, string, string, ...string[]];
}

export interface Topic {
  title: string;
  prompts: readonly Prompt[];
}

const prompt = (title: string, ...questions: [string, string, string, ...string[]]): Prompt => ({
  title,
  questions,
});

export const TOPICS: readonly Topic[] = [
  {
    title: 'Sales Meetings',
    prompts: [
      prompt(
        'Meetings per owner',
        'How many meetings did each owner hold last month?',
        'How many meetings did each owner hold this quarter?',
        'Which owner held the most meetings this year?',
      ),
      prompt(
        'Meetings over time',
        'How many meetings were held each month over the last 12 months?',
        'How many meetings were held per week in the last quarter?',
        'How does the number of meetings this quarter compare with last quarter?',
      ),
      prompt(
        'Outcomes of meetings',
        'How many meetings are there by outcome?',
        'What share of meetings this year had each outcome?',
        'How many meetings per outcome were held last quarter?',
      ),
      prompt(
        'Length of meetings',
        'What is the average duration of meetings by owner?',
        'What is the median duration of meetings this year?',
        'What is the average duration of meetings by month this year?',
      ),
      prompt(
        'Companies we meet',
        'Which 10 companies had the most meetings this year?',
        'Which 5 companies had the most meetings last quarter?',
        'How many different companies did we meet each quarter?',
      ),
    ],
  },
  {
    title: 'Sales Emails',
    prompts: [
      prompt(
        'Emails over time',
        'How many emails were sent per week in the last quarter?',
        'How many emails were sent each month over the last 12 months?',
        'How does the number of emails this month compare with last month?',
      ),
      prompt(
        'Emails per owner',
        'How many emails did each owner send last month?',
        'Which owner sent the most emails this quarter?',
        'How many emails did each owner send this year?',
      ),
      prompt(
        'Sent and received',
        'How many emails are there by direction?',
        'How many emails were there by direction each month this year?',
        'What share of emails is there by direction?',
      ),
      prompt(
        'Answers to emails',
        'How many emails are there by status?',
        'How many emails by status were there last quarter?',
        'What share of emails has each status?',
      ),
      prompt(
        'Companies we write to',
        'Which 10 companies got the most emails this year?',
        'Which 5 companies got the most emails last month?',
        'How many different companies did we write to each month this year?',
      ),
    ],
  },
  {
    title: 'Revenue Trends',
    prompts: [
      prompt(
        'Won revenue by month',
        'What was the total amount of won deals in each of the last 12 months?',
        'Show the total amount of won deals by month this year as a line chart.',
        'Which month had the highest amount of won deals last year?',
      ),
      prompt(
        'Quarter against quarter',
        'How does the amount of won deals this quarter compare with last quarter?',
        'What was the total amount of won deals by quarter?',
        'How much did the amount of won deals change from quarter to quarter?',
      ),
      prompt(
        'Deal size',
        'What is the average amount of a won deal by quarter?',
        'What is the median amount of won deals this year?',
        'What is the average amount of a won deal by owner?',
      ),
      prompt(
        'Revenue by industry',
        'Which industries bring in the largest amount of won deals?',
        'What share of the amount of won deals comes from each industry?',
        'What was the amount of won deals by industry this year?',
      ),
      prompt(
        'Year against year',
        'How does the amount of won deals this year compare with last year?',
        'How many deals did we win this year and last year?',
        'What was the total amount of won deals by year?',
      ),
    ],
  },
  {
    title: 'Pipeline Formation',
    prompts: [
      prompt(
        'New deals',
        'How many deals were created each month this year?',
        'How many deals were created last quarter?',
        'How does the number of deals created this month compare with last month?',
      ),
      prompt(
        'New pipeline in money',
        'What is the total amount of deals created by month over the last 12 months?',
        'What is the total amount of deals created this quarter?',
        'What is the average amount of deals created by quarter?',
      ),
      prompt(
        'Who creates deals',
        'How many deals did each owner create this quarter?',
        'Which owner created the largest amount of deals this year?',
        'What are the top 5 owners by number of deals created last quarter?',
      ),
      prompt(
        'Where deals come from',
        'How many deals are there by source?',
        'What is the total amount of deals by source this year?',
        'What share of deals comes from each source?',
      ),
      prompt(
        'Industries in the pipeline',
        'How many open deals are there by industry?',
        'What is the total amount of open deals by industry?',
        'Which 3 industries had the most deals created this year?',
      ),
    ],
  },
  {
    title: 'Pipeline Performance',
    prompts: [
      prompt(
        'Win rate',
        'What is our win rate by owner this year?',
        'What is our win rate by quarter?',
        'What was our win rate last quarter?',
      ),
      prompt(
        'Deals by stage',
        'How many deals are there in each stage?',
        'What is the total amount of open deals by stage?',
        'What is the average amount of deals by stage?',
      ),
      prompt(
        'Won and lost',
        'How many deals did we win last quarter?',
        'How many deals did we win and lose each month this year?',
        'What was the total amount of lost deals by quarter?',
      ),
      prompt(
        'Time to close',
        'What is the average number of days from create date to close date of won deals?',
        'What is the median sales cycle of won deals by owner?',
        'What is the average sales cycle of won deals by quarter?',
      ),
      prompt(
        'Top performers',
        'Who are the top 5 owners by amount of won deals this year?',
        'Which owner won the most deals last quarter?',
        'Who are the top 3 owners by amount of won deals last month?',
      ),
    ],
  },
  {
    title: 'Target Achievement',
    prompts: [
      prompt(
        'Won against target',
        'How much did we win against target in each quarter this year?',
        'How much did we win against target last quarter?',
        'What is our target attainment by quarter?',
      ),
      prompt(
        'Attainment by owner',
        'What is the target attainment of each owner this quarter?',
        'Which owner had the highest target attainment last quarter?',
        'Which owners were below target last quarter?',
      ),
      prompt(
        'Targets set',
        'What is the total target by quarter?',
        'What is the target of each owner this quarter?',
        'What is the total target this year?',
      ),
      prompt(
        'Gap to target',
        'How much is missing to the target this quarter?',
        'What is the gap to target by owner this quarter?',
        'How much did we win compared with target this year?',
      ),
      prompt(
        'Targets over time',
        'How does the total target this quarter compare with last quarter?',
        'What is the average target by owner this year?',
        'Which quarter had the highest total target?',
      ),
    ],
  },
  {
    title: 'Recent Wins',
    prompts: [
      prompt(
        'Latest wins',
        'What are the last 10 deals we won?',
        'Which deals did we win last month?',
        'Which deals did we win this month?',
      ),
      prompt(
        'Largest wins',
        'What are our 10 largest won deals this year?',
        'What is the largest deal we won last quarter?',
        'What are the 5 largest deals we won in the last 90 days?',
      ),
      prompt(
        'Wins by owner',
        'How many deals did each owner win last month?',
        'What is the amount of won deals by owner this quarter?',
        'Who won the largest deal this year?',
      ),
      prompt(
        'Wins by industry',
        'How many deals did we win by industry this year?',
        'What is the average amount of won deals by industry?',
        'Which industry had the most won deals last quarter?',
      ),
      prompt(
        'Number of wins',
        'How many deals did we win each month this year?',
        'How many deals did we win this quarter?',
        'How does the number of won deals this month compare with last month?',
      ),
    ],
  },
  {
    title: 'Churned Customers',
    prompts: [
      prompt(
        'Churn over time',
        'How many customers churned in each quarter?',
        'How many customers churned each month this year?',
        'How many customers churned last quarter?',
      ),
      prompt(
        'Churn by industry',
        'How many customers churned by industry?',
        'Which industry had the most churned customers?',
        'What share of churned customers is in each industry?',
      ),
      prompt(
        'Who churned',
        'Which customers churned last quarter?',
        'Which customers churned this year?',
        'What are the last 10 customers that churned?',
      ),
      prompt(
        'Churn by size',
        'What is the average number of employees of churned customers?',
        'Which churned customers had the most employees?',
        'What is the total annual revenue of churned customers?',
      ),
      prompt(
        'Churn by country',
        'How many customers churned by country?',
        'Which country had the most churned customers this year?',
        'What share of churned customers is in each country?',
      ),
    ],
  },
  {
    title: 'At Risk Opportunities',
    prompts: [
      prompt(
        'Past their close date',
        'Which open deals have a close date in the past?',
        'How many open deals have a close date in the past?',
        'What is the total amount of open deals with a close date in the past?',
      ),
      prompt(
        'Closing soon',
        'Which open deals have a close date this month?',
        'What is the total amount of open deals with a close date this quarter?',
        'Which 10 open deals with a close date this quarter have the highest amount?',
      ),
      prompt(
        'Old deals',
        'Which 10 open deals have the oldest create date?',
        'Which open deals were created more than 180 days ago?',
        'How many open deals were created before this year?',
      ),
      prompt(
        'Customers with open tickets',
        'How many open tickets are there by priority?',
        'Which 10 companies have the most open tickets?',
        'How many high priority tickets are open?',
      ),
      prompt(
        'Lost deals',
        'Why did we lose deals this year?',
        'How many deals did we lose by reason?',
        'What was the total amount of lost deals last quarter?',
      ),
    ],
  },
  {
    title: 'Pipeline Quality',
    prompts: [
      prompt(
        'Open pipeline',
        'What is the total amount of our open deals?',
        'How many open deals do we have?',
        'What is the average amount of open deals?',
      ),
      prompt(
        'Largest open deals',
        'What are our 10 largest open deals?',
        'What share of the open amount is in the 10 largest open deals?',
        'Which owner has the largest open deal?',
      ),
      prompt(
        'Gaps in the data',
        'How many open deals have no amount?',
        'How many open deals have no close date?',
        'How many deals have no owner?',
      ),
      prompt(
        'Spread of amounts',
        'What is the median amount of open deals?',
        'What are the minimum and maximum amounts of open deals?',
        'How many open deals have an amount over 50,000?',
      ),
      prompt(
        'Pipeline by owner',
        'What is the total amount of open deals by owner?',
        'How many open deals does each owner have?',
        'Which owner has the largest amount of open deals?',
      ),
    ],
  },
  {
    title: 'Pipeline Activity',
    prompts: [
      prompt(
        'Activity per owner',
        'How many meetings did each owner hold this month?',
        'How many emails did each owner send this month?',
        'Which 3 owners sent the most emails last quarter?',
      ),
      prompt(
        'Activity over time',
        'How many meetings were held each week in the last 3 months?',
        'How many emails were sent each day last month?',
        'How many emails were sent each quarter?',
      ),
      prompt(
        'Tickets',
        'How many tickets were created each month this year?',
        'How many tickets are there by status?',
        'What is the number of tickets by category?',
      ),
      prompt(
        'Deals in motion',
        'How many deals were created last month?',
        'How many deals were closed last month?',
        'How many deals were closed each week this quarter?',
      ),
      prompt(
        'New contacts',
        'How many contacts were created each month this year?',
        'How many contacts were created last quarter?',
        'Which 10 companies have the most contacts?',
      ),
    ],
  },
];
