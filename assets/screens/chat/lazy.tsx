/** The parts of the chat that load when first needed, and are fetched beforehand once the page is idle. */
import { lazy } from 'react';
import { manageData } from './lazy-manage-data';

const loaders = {
  feedback: () => import(/* webpackChunkName: "popups" */ 'features/popups/feedback-popup'),
  context: () => import(/* webpackChunkName: "popups" */ 'features/popups/context-popup'),
  connectTabs: () => import(/* webpackChunkName: "popups" */ 'features/popups/connect-tabs-popup'),
  slackLink: () => import(/* webpackChunkName: "popups" */ 'features/slack/slack-link-popup'),
  preview: () => import(/* webpackChunkName: "previews" */ 'features/previews/preview-popup'),
  answerFile: () => import(/* webpackChunkName: "previews" */ 'features/previews/answer-file-popup'),
  help: () => import(/* webpackChunkName: "help" */ 'features/help/help-popup'),
  validation: () => import(/* webpackChunkName: "validation" */ 'features/validation/validation-panel'),
  manageData,
  panels: () => import(/* webpackChunkName: "panels" */ './panels'),
};

export const FeedbackPopup = lazy(loaders.feedback);
export const ContextPopup = lazy(loaders.context);
export const ConnectTabsPopup = lazy(loaders.connectTabs);
export const SlackLinkPopup = lazy(loaders.slackLink);
export const PreviewPopup = lazy(loaders.preview);
export const AnswerFilePopup = lazy(loaders.answerFile);
export const HelpPopup = lazy(loaders.help);
export const ValidationPanel = lazy(loaders.validation);
export const Panels = lazy(loaders.panels);

const idle = (then: () => void) => {
  if ('requestIdleCallback' in window) window.requestIdleCallback(then, { timeout: 5_000 });
  else setTimeout(then, 2_000);
};

/** One part after the other, each when the page has nothing better to do, so that none holds up a key or a scroll. */
export function prefetchWhenIdle(more: readonly (() => Promise<unknown>)[]): void {
  const waiting = [...Object.values(loaders), ...more];
  const next = () => {
    const load = waiting.shift();
    if (load)
      void load()
        .catch(() => {})
        .finally(() => idle(next));
  };
  idle(next);
}
