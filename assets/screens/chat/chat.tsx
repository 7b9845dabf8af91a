import { useModels, useSources } from 'api/queries';
import type { Me, Message, MessageFile, Model, RefreshedFile, RunSnapshot } from 'api/types';
import { pageParams } from 'app/page-params';
import type { BroughtQuestion } from 'features/brought/api';
import { rateAnswer } from 'features/conversation/api';
import { Composer } from 'features/conversation/composer';
import { Conversation, RunAnnouncer } from 'features/conversation/conversation';
import { Greeting } from 'features/conversation/greeting';
import { isActive } from 'features/conversation/run-machine';
import { ThreadSkeleton } from 'features/conversation/thread-skeleton';
import { useRefreshEnd } from 'features/manage-data/use-refresh-end';
import { ModelHint } from 'features/models/model-hint';
import { ModelPicker } from 'features/models/model-picker';
import { flattenTree } from 'lib/flatten-tree';
import { type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import { broughtForget } from 'stores/brought';
import { contextFilesSet, useContextFiles } from 'stores/context-files';
import { dataSectionShow } from 'stores/data-section';
import { draftFill, NEW_THREAD } from 'stores/draft';
import { useModelChoice } from 'stores/models';
import { popupOpen } from 'stores/popup';
import { detailOpen, drawerOpen, useSideMenu } from 'stores/side-menu';
import { slackLinkTake } from 'stores/slack-link';
import { useValidations } from 'stores/validations';
import { useAddress } from './address';
import { AnswerSlot, fetchAnswerParts, readyAnswerParts, TraceSlot } from './answer-slot';
import { BringingTray, DropHint, useBringing } from './bringing';
import styles from './chat.module.css';
import { ChatMenu } from './chat-menu';
import { prefetchWhenIdle } from './lazy';
import { Popups } from './popups';
import { useCallbackCode } from './use-callback';
import { useChecks } from './use-checks';
import { useLive } from './use-live';
import { useFreshSuggestions } from './use-suggestions';
import { useThread } from './use-thread';
import { useTitle } from './use-title';
import { useVersions } from './use-versions';

const NO_FILES: readonly RefreshedFile[] = [];
const NO_MODELS: readonly Model[] = [];
const attach = () => popupOpen({ kind: 'context' });
const feedback = () => popupOpen({ kind: 'feedback' });
const previewAnswerFile = (file: MessageFile) => popupOpen({ kind: 'preview-answer-file', file });
const upload = () => {
  dataSectionShow('uploaded');
  detailOpen('manage-data');
};
const toSettings = () => detailOpen('settings');
const renderText = (text: string) => <TraceSlot text={text} />;

/** Arranges the chat: menu, panel, messages, composer; hands each what it needs of the others. */
export function Chat({ me }: { me: Me }) {
  const { product } = pageParams;
  const { threadId, go } = useAddress();
  const { run, thread, loading, ask: send, askAgain, receive, dataChanged } = useThread(threadId, go);
  const sources = useSources(true);
  const inManageData = useSideMenu((menu) => menu.detail === 'manage-data');
  useFreshSuggestions(sources.data);
  const bringing = useBringing(sources.data, product);
  const listed = useModels(true).data;
  const models = listed ?? NO_MODELS;
  const allModels = useModelChoice((choice) => choice.allModels);
  const input = useRef<HTMLTextAreaElement>(null);
  useFocusAtStart(input);
  const draftKey = threadId ?? NEW_THREAD;
  const fill = useFill(draftKey);
  const newChat = useCallback(() => {
    drawerOpen(false);
    contextFilesSet([]);
    go(null);
    input.current?.focus();
  }, [go]);

  const checks = useChecks(threadId, thread, me.organization);
  const { receive: receiveCheck } = checks;
  useLive(
    useCallback(
      (snapshot: RunSnapshot) => (snapshot.kind === 'validation' ? receiveCheck : receive)(snapshot),
      [receive, receiveCheck],
    ),
    dataChanged,
  );
  useCallbackCode();
  useRefreshEnd();
  useEffect(() => {
    const code = slackLinkTake();
    if (code !== null) popupOpen({ kind: 'slack-link', code });
  }, []);
  useEffect(() => prefetchWhenIdle([fetchAnswerParts]), []);
  const waiting = !run.free;
  useEffect(() => {
    if (waiting) readyAnswerParts();
  }, [waiting]);
  const showVersion = useVersions(threadId);
  const title = useTitle(threadId, thread?.messages, run.state);

  const messages = thread?.messages;
  const visible = useMemo(() => flattenTree(messages ?? []), [messages]);
  const lastQuestion = visible.findLast((message) => message.role === 'user')?.content ?? null;
  const ask = useCallback(
    (question: string, files: readonly string[]) => {
      broughtForget();
      send(question, files);
    },
    [send],
  );
  const askAtOnce = useCallback((question: string) => ask(question, useContextFiles.getState().files), [ask]);
  const askOfBrought = useCallback(({ text, file_name }: BroughtQuestion) => ask(text, [file_name]), [ask]);
  const renderAnswer = useCallback(
    (message: Message) => (
      <AnswerSlot message={message} threadId={threadId} onAsk={askAtOnce} onPreview={previewAnswerFile} />
    ),
    [askAtOnce, threadId],
  );
  const rate = useCallback(
    (message: Message, up: boolean) => {
      if (!threadId) return;
      rateAnswer(threadId, message.message_id, up).catch((error: unknown) =>
        console.warn('Rating failed', error),
      );
      popupOpen({ kind: up ? 'thumbs-up' : 'thumbs-down', threadId, messageId: message.message_id });
    },
    [threadId],
  );
  const empty = !loading && visible.length === 0 && run.state.kind === 'idle';

  return (
    <div className={styles.app} {...bringing.zone}>
      <ChatMenu
        me={me}
        canStart={run.free}
        threadId={threadId}
        onNewChat={newChat}
        onFill={fill}
        onOpenThread={go}
        onFocus={() => input.current?.focus()}
        title={title}
      />
      <main className={styles.main}>
        {!empty && <h1 className="visually-hidden">{title}</h1>}
        <div className={styles.messages}>
          {loading ? (
            <div className={styles.centred}>
              <div className={styles.loading}>
                <ThreadSkeleton />
              </div>
            </div>
          ) : empty ? (
            <div className={styles.centred} key={draftKey}>
              <Greeting
                name={me.name}
                disabled={!run.free}
                hasData={sources.data === undefined || sources.data.length > 0}
                quiet={bringing.told}
                note={listed && <ModelHint models={listed} onSettings={toSettings} />}
                onPick={fill}
                onUpload={inManageData ? undefined : upload}
              />
            </div>
          ) : (
            <Conversation
              threadId={threadId}
              messages={messages}
              refreshed={thread?.since_refreshed_files ?? NO_FILES}
              run={run}
              product={product}
              userName={me.name}
              renderAnswer={renderAnswer}
              renderCheck={checks.render}
              renderText={renderText}
              allModels={allModels}
              onFill={fill}
              onRate={rate}
              onVersion={showVersion}
              onAskAgain={askAgain}
            />
          )}
        </div>
        <Composer
          draftKey={draftKey}
          product={product}
          free={run.free}
          loading={loading}
          stopping={isActive(run.state) && run.state.stopping}
          lastQuestion={lastQuestion}
          input={input}
          models={<ModelPicker models={models} />}
          above={
            <BringingTray
              bringing={bringing}
              sources={sources.data}
              disabled={!run.free}
              onAsk={askOfBrought}
            />
          }
          onSend={ask}
          onStop={run.stop}
          onAttach={attach}
          onFeedback={feedback}
        />
        <RunAnnouncer run={run} product={product} />
        <CheckAnnouncer />
      </main>
      {bringing.dropping && <DropHint />}
      <Popups
        onFill={fill}
        onUpload={bringing.choose}
        chatHistory={() => visible.map((message) => `${message.role}: ${message.content}`).join('\n')}
      />
    </div>
  );
}

/** Tells screen readers that an answer is being checked, and what was found. */
function CheckAnnouncer() {
  const said = useValidations((state) => state.said);
  return (
    <p className="visually-hidden" role="status">
      {said}
    </p>
  );
}

/**
 * Whoever comes from the sign-in can type at once. Not where a finger does the pointing: a keyboard on the screen would
 * cover what there is to read.
 */
function useFocusAtStart(input: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const free = document.activeElement === null || document.activeElement === document.body;
    if (free && !window.matchMedia('(pointer: coarse)').matches)
      input.current?.focus({ preventScroll: true });
  }, [input]);
}

/** Puts a text into the composer of the conversation that is open. */
function useFill(draftKey: string): (text: string) => void {
  return useCallback(
    (text: string) => {
      drawerOpen(false);
      draftFill(draftKey, text);
    },
    [draftKey],
  );
}
