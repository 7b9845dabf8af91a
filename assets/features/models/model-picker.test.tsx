import { fireEvent, render, screen } from '@testing-library/react';
import { modelsToAsk, useModelChoice } from 'stores/models';
import { describe, expect, test } from 'vitest';
import { ModelPicker } from './model-picker';

const gpt = { id: 'openai:gpt', name: 'GPT', provider: 'OpenAI', takes_temperature: true };
const claude = { id: 'anthropic:claude', name: 'Claude', provider: 'Anthropic', takes_temperature: true };
const thinker = { id: 'openai:o', name: 'Thinker', provider: 'OpenAI', takes_temperature: false };
const open = () => fireEvent.click(screen.getByRole('button', { name: /^Models: / }));
const pick = (name: RegExp) => fireEvent.click(screen.getByRole('button', { name }));

describe('the choice of models', () => {
  test('has the built-in analyst always there, chosen alone at first, with temperature 1', () => {
    render(<ModelPicker models={[]} />);
    open();
    expect(screen.getByRole('button', { name: /^Built-in analyst/, pressed: true })).toBeTruthy();
    expect(screen.getByText(/once they are configured/)).toBeTruthy();
    expect(screen.queryByLabelText('Temperature')).toBeNull();
    expect(modelsToAsk()).toEqual({ models: null, temperature: 1 });
  });

  test('takes several, each out again with a second click, and never none', () => {
    render(<ModelPicker models={[gpt, claude]} />);
    open();
    pick(/^GPT/);
    pick(/^Claude/);
    expect(modelsToAsk().models).toEqual(['builtin', gpt.id, claude.id]);
    expect(screen.getByRole('button', { name: 'Models: Built-in analyst +2' })).toBeTruthy();
    pick(/^Built-in analyst/);
    pick(/^GPT/);
    expect(modelsToAsk().models).toEqual([claude.id]);
    pick(/^Claude/);
    expect(modelsToAsk().models).toBeNull();
  });

  test('asks for a temperature only where a model listens to one, and keeps it in this browser', () => {
    render(<ModelPicker models={[gpt]} />);
    open();
    pick(/^GPT/);
    fireEvent.change(screen.getByLabelText('Temperature'), { target: { value: '0.3' } });
    expect(modelsToAsk().temperature).toBe(0.3);
    expect(JSON.parse(localStorage.getItem('models') ?? '{}')).toEqual({
      models: ['builtin', gpt.id],
      temperature: 0.3,
    });
  });

  test('sets no temperature for models that take none, and says which do not', () => {
    render(<ModelPicker models={[gpt, thinker]} />);
    open();
    pick(/^Thinker/);
    pick(/^Built-in analyst/);
    const slider = screen.getByLabelText<HTMLInputElement>('Temperature');
    expect(slider.disabled).toBe(true);
    expect(screen.getByText('Not used by Thinker.')).toBeTruthy();
    pick(/^GPT/);
    expect(slider.disabled).toBe(false);
    expect(screen.getByText('Not used by Thinker.')).toBeTruthy();
    pick(/^Thinker/);
    expect(screen.queryByText(/^Not used by/)).toBeNull();
  });

  test('forgets a model that is not configured any more', () => {
    useModelChoice.setState({ models: ['gone', gpt.id] });
    render(<ModelPicker models={[gpt]} />);
    expect(modelsToAsk().models).toEqual([gpt.id]);
  });

  test('starts with the organization’s first, gives way to what is picked, and the analyst can still be picked alone', () => {
    render(<ModelPicker models={[{ ...gpt, first: true }, claude]} />);
    expect(screen.getByRole('button', { name: 'Models: GPT' })).toBeTruthy();
    expect(modelsToAsk().models).toEqual([gpt.id]);
    open();
    pick(/^Built-in analyst/);
    pick(/^GPT/);
    expect(modelsToAsk().models).toBeNull();
    expect(screen.getByRole('button', { name: 'Models: Built-in analyst' })).toBeTruthy();
    pick(/^GPT/);
    pick(/^Built-in analyst/);
    expect(modelsToAsk().models).toEqual([gpt.id]);
  });

  test('closes by Escape, which gives the focus back, and by a click elsewhere', () => {
    render(<ModelPicker models={[gpt]} />);
    open();
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(screen.queryByRole('group', { name: 'Models' })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Models: / }));
    open();
    fireEvent.pointerDown(document.body);
    expect(screen.queryByRole('group', { name: 'Models' })).toBeNull();
  });
});
