import '@fontsource-variable/jetbrains-mono/wght.css';
import type { Evidence } from 'api/types';
import { IconButton } from 'design/components/icon-button';
import { inLines } from 'lib/query-lines';
import { Copy } from 'lucide-react';
import { toastShow } from 'stores/toast';
import styles from './evidence-details.module.css';

interface Props {
  evidence: Evidence;
  assumptions: readonly string[];
}

/** How an answer was computed: in words, then filter by filter, then the query as it ran. */
export function EvidenceDetails({ evidence, assumptions }: Props) {
  const { plan_sentence: plan, filters, joins, definitions, notes, query } = evidence;
  const lists = [
    ['Taken for granted', assumptions],
    ['Filters', filters],
    ['Joins', joins],
    ['Definitions', definitions],
    ['Notes', notes],
  ] as const;
  return (
    <dl className={styles.details}>
      {plan !== '' && (
        <div>
          <dt>In words</dt>
          <dd>{plan}</dd>
        </div>
      )}
      {lists.map(([name, items]) =>
        items.length === 0 ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <ul>
                {items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </dd>
          </div>
        ),
      )}
      {query !== '' && (
        <div>
          <dt>Query</dt>
          <dd className={styles.query}>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <section tabIndex={0} aria-label="Query as it ran">
              <pre>
                <code>
                  <Lines text={inLines(query)} />
                </code>
              </pre>
            </section>
            <IconButton
              className={styles.copy}
              name="Copy query"
              size="small"
              icon={<Copy size={14} strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => copyQuery(query)}
            />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Lines that are too long go on further in than they begin. */
function Lines({ text }: { text: string }) {
  return text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place
    <span key={at} style={{ marginLeft: `${line.search(/\S/)}ch` }}>
      {line.trimStart()}
      {'\n'}
    </span>
  ));
}

function copyQuery(query: string): void {
  navigator.clipboard.writeText(query).then(
    () => toastShow('complete', 'Query copied'),
    () => toastShow('error', 'The query could not be copied.'),
  );
}
