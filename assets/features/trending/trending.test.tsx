import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TOPICS } from './topics';
import { Trending } from './trending';

const buttons = () => screen.getAllByRole('button').map((button) => button.textContent);
const titles = TOPICS.map((topic) => topic.title);

function openFirstTopic() {
  const first = screen.getAllByRole('button')[0] as HTMLElement;
  const topic = TOPICS.find((one) => one.title === first.textContent);
  fireEvent.click(first);
  return topic as (typeof TOPICS)[number];
}

describe('the lexicon of topics', () => {
  test('has the eleven topics, each with five prompts of three questions', () => {
    expect(titles).toEqual([
      'Sales Meetings',
      'Sales Emails',
      'Revenue Trends',
      'Pipeline Formation',
      'Pipeline Performance',
      'Target Achievement',
      'Recent Wins',
      'Churned Customers',
      'At Risk Opportunities',
      'Pipeline Quality',
      'Pipeline Activity',
    ]);
    for (const topic of TOPICS) {
      expect(new Set(topic.prompts.map((prompt) => prompt.title)).size).toBeGreaterThanOrEqual(5);
      for (const prompt of topic.prompts) expect(new Set(prompt.questions).size).toBeGreaterThanOrEqual(3);
    }
  });
});

describe('Trending Topics', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('shows five of the topics', () => {
    render(<Trending disabled={false} onPick={() => {}} />);
    expect(new Set(buttons()).size).toBe(5);
    for (const title of buttons()) expect(titles).toContain(title);
  });

  test('a prompt puts one of its questions in and leads back after half a second', () => {
    const onPick = vi.fn();
    render(<Trending disabled={false} onPick={onPick} />);
    const topic = openFirstTopic();
    expect(buttons()).toHaveLength(6); // the arrow back and five prompts
    const button = screen.getAllByRole('button')[1] as HTMLElement;
    fireEvent.click(button);
    const prompt = topic.prompts.find((one) => one.title === button.textContent);
    expect(prompt?.questions).toContain(onPick.mock.calls[0]?.[0]);
    act(() => vi.advanceTimersByTime(499));
    expect(buttons()).toHaveLength(6);
    act(() => vi.advanceTimersByTime(1));
    expect(buttons()).toHaveLength(5);
  });

  test('a prompt does nothing while sending is disabled', () => {
    const onPick = vi.fn();
    render(<Trending disabled onPick={onPick} />);
    openFirstTopic();
    fireEvent.click(screen.getAllByRole('button')[1] as HTMLElement);
    act(() => vi.advanceTimersByTime(2_000));
    expect(onPick).not.toHaveBeenCalled();
    expect(buttons()).toHaveLength(6);
  });
});
