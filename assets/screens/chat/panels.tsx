import { useQueryClient } from '@tanstack/react-query';
import { DEFAULT_PREFERENCES } from 'api/preferences';
import { keys, loadThread, usePreferences, useSources, useThreads } from 'api/queries';
import { allows, type Me } from 'api/types';
import { pageParams } from 'app/page-params';
import { AuditPanel } from 'features/administration/audit-panel';
import { UsagePanel } from 'features/administration/usage-panel';
import { FileContextPanel } from 'features/company/file-context-panel';
import { FormattingPanel } from 'features/company/formatting-panel';
import { IntakePanel } from 'features/company/intake-panel';
import { KeywordsPanel } from 'features/company/keywords-panel';
import { HistoryPanel } from 'features/history/history-panel';
import { useThreadActions } from 'features/history/use-thread-actions';
import { MembersPanel } from 'features/members/members-panel';
import { ModelsSection } from 'features/models/models-section';
import { SessionsList } from 'features/sessions/sessions-list';
import { SettingsPanel } from 'features/settings/settings-panel';
import { SlackSection } from 'features/slack/slack-section';
import { popupOpen } from 'stores/popup';
import { type Detail, detailClose, detailOpen, fileContextOpen, useSideMenu } from 'stores/side-menu';
import styles from './chat.module.css';
import { ManageDataPanel } from './lazy-manage-data';

interface Props {
  detail: Detail;
  me: Me;
  threadId: string | null;
  searching: boolean;
  onOpenThread(threadId: string): void;
  onNewChat(): void;
}

const preview = (fileName: string) => popupOpen({ kind: 'preview-file', fileName });
const requestSource = () => popupOpen({ kind: 'request-source' });
const help = () => popupOpen({ kind: 'help' });
const toSettings = () => detailOpen('settings');
const toManageData = () => detailOpen('manage-data');
const feedback = () => popupOpen({ kind: 'feedback' });

/** The detail panels: each asks for what it shows. */
export default function Panels({ detail, me, threadId, searching, onOpenThread, onNewChat }: Props) {
  const client = useQueryClient();
  const threads = useThreads(detail === 'history');
  const sources = useSources(true);
  const preferences = usePreferences(true);
  const contextFile = useSideMenu((menu) => menu.contextFile);
  const { product } = pageParams;
  const footer = <PanelFooter />;
  const actions = useThreadActions(threadId, onNewChat, onOpenThread);
  const inSettings = { product, footer, onBack: toSettings, onClose: detailClose };
  const readOnly = !allows(me, 'edit_context');
  const loaded = { failed: preferences.isError, onRetry: () => preferences.refetch() };
  switch (detail) {
    case 'history':
      return (
        <HistoryPanel
          threads={threads.data}
          failed={threads.isError}
          current={threadId}
          searching={searching}
          actions={actions}
          footer={footer}
          onOpen={onOpenThread}
          onHint={(id) =>
            void client.prefetchQuery({
              queryKey: keys.thread(id),
              queryFn: ({ signal }) => loadThread(id, signal),
            })
          }
          onRetry={() => threads.refetch()}
          onStart={onNewChat}
          onClose={detailClose}
        />
      );
    case 'manage-data':
      return (
        <ManageDataPanel
          sources={sources.data}
          failed={sources.isError}
          me={me}
          product={pageParams.product}
          largest={pageParams.uploadMaxBytes}
          footer={footer}
          deletesAny={allows(me, 'delete_any_file')}
          onPreview={preview}
          onEditContext={fileContextOpen}
          onRequestSource={requestSource}
          onRetry={() => sources.refetch()}
          onClose={detailClose}
        />
      );
    case 'settings':
      return (
        <SettingsPanel
          me={me}
          preferences={preferences.data ?? DEFAULT_PREFERENCES}
          footer={footer}
          sessions={<SessionsList />}
          slack={<SlackSection product={product} />}
          models={<ModelsSection />}
          onIntake={() => detailOpen('intake')}
          onFormatting={() => detailOpen('formatting')}
          onKeywords={() => detailOpen('keywords')}
          onMembers={() => detailOpen('members')}
          onUsage={() => detailOpen('usage')}
          onAudit={() => detailOpen('audit')}
          onHelp={help}
          onFeedback={feedback}
          onClose={detailClose}
        />
      );
    case 'intake':
      return <IntakePanel {...inSettings} readOnly={readOnly} />;
    case 'formatting':
      return <FormattingPanel {...inSettings} {...loaded} preferences={preferences.data} />;
    case 'keywords':
      return (
        <KeywordsPanel
          {...inSettings}
          {...loaded}
          readOnly={readOnly}
          keywords={preferences.data?.keywords}
        />
      );
    case 'members':
      return <MembersPanel footer={footer} onBack={toSettings} onClose={detailClose} />;
    case 'usage':
      return <UsagePanel footer={footer} onBack={toSettings} onClose={detailClose} />;
    case 'audit':
      return <AuditPanel footer={footer} onBack={toSettings} onClose={detailClose} />;
    case 'file-context':
      return (
        contextFile !== null && (
          <FileContextPanel
            key={contextFile}
            {...inSettings}
            readOnly={readOnly}
            fileName={contextFile}
            onBack={toManageData}
          />
        )
      );
  }
}

function PanelFooter() {
  return (
    <p>
      We keep improving {pageParams.product}.{' '}
      <button type="button" className={styles.link} onClick={feedback}>
        Leave feedback
      </button>
    </p>
  );
}
