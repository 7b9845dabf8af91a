import '@fontsource-variable/jetbrains-mono/wght.css';
import { memo } from 'react';
import Markdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { figureColumns } from './figure-columns';
import { safeAddress } from './links';
import styles from './markdown.module.css';
import { Scrolling } from './scrolling';
import { tiedTimes } from './tied-times';

/** Headings of an answer stand below those of the conversation. */
const components: Components = {
  // A refused address comes as an empty one, which would link to the page itself.
  a: ({ href, children }) =>
    href ? (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    ) : (
      <span>{children}</span>
    ),
  h1: ({ children }) => <h3 className={styles.first}>{children}</h3>,
  h2: ({ children }) => <h4 className={styles.second}>{children}</h4>,
  h3: ({ children }) => <h5 className={styles.third}>{children}</h5>,
  pre: ({ children }) => <Scrolling label="Code">{children}</Scrolling>,
  table: ({ children }) => <Scrolling label="Table">{children}</Scrolling>,
};

const plugins = [remarkGfm];
const treePlugins = [figureColumns, tiedTimes];
const transform = (address: string) => safeAddress(address) ?? '';

/** Markdown as elements: no raw HTML, no images, links as `links` allows. */
export default memo(function MarkdownBody({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      <Markdown
        remarkPlugins={plugins}
        rehypePlugins={treePlugins}
        components={components}
        urlTransform={transform}
        disallowedElements={['img']}
        skipHtml
      >
        {text}
      </Markdown>
    </div>
  );
});
