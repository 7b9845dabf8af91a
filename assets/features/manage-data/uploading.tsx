import { Problem } from 'design/components/problem';
import styles from './uploading.module.css';
import type { Sending, Upload } from './use-upload';

/** What could not be taken, file by file. */
export function Problems({ upload }: { upload: Upload }) {
  if (upload.problems.length === 0) return null;
  return (
    <Problem onDismiss={upload.dismiss}>
      <ul className={styles.problems}>
        {upload.problems.map(({ file, message }) => (
          <li key={file + message}>
            {!message.includes(file) && <b>{file}: </b>}
            {message}
          </li>
        ))}
      </ul>
    </Problem>
  );
}

/** A bar a file: they leave one after the other, so that each bar tells its own file's share. */
export function Progress({ files }: { files: readonly Sending[] }) {
  if (files.length === 0) return null;
  return (
    <ul className={styles.sending} aria-label="Files on their way">
      {files.map(({ name, share }) => {
        const percent = Math.floor(share * 100);
        return (
          <li key={name}>
            <p>
              <b>{name}</b>
              <span>{percent < 100 ? `${percent}%` : 'Storing...'}</span>
            </p>
            <div
              className={styles.track}
              role="progressbar"
              aria-label={name}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={percent}
            >
              <div className={styles.fill} style={{ transform: `scaleX(${share})` }} />
            </div>
          </li>
        );
      })}
    </ul>
  );
}
