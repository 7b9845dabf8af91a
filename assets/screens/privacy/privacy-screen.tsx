import { pageParams } from 'app/page-params';
import { LogoMark } from 'design/components/logo';
import styles from './privacy-screen.module.css';

/** The privacy policy of SPEC 1. */
export function PrivacyScreen() {
  const { product, privacyEmail } = pageParams;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <a href="/" className={styles.brand}>
          <LogoMark size={24} />
          {product}
        </a>
        <nav className={styles.links} aria-label="Pages">
          <a href="/">Home</a>
          <a href="/login">Login</a>
        </nav>
      </header>
      <main className={styles.text}>
        <h1>Privacy Policy</h1>
        <p className={styles.date}>Effective August 1, 2024</p>

        <h2>Where data is held</h2>
        <p>
          {product} keeps and processes your data with a cloud provider, a language-model API and a database
          provider.
        </p>

        <h2>What is collected, and when</h2>
        <p>
          Files that you upload and questions that you ask are stored for your organization. From your
          spreadsheet and drive services, data is collected only on your request: {product} reads the files
          you choose there and nothing else. A CRM or a messaging service is read only once an administrator
          has connected it, and of the CRM only the properties that were chosen.
        </p>

        <h2>Your rights</h2>
        <p>
          You may ask at any time to see, correct or delete the data held about you
          {privacyEmail ? (
            <>
              {' '}
              by email to <a href={`mailto:${privacyEmail}`}>{privacyEmail}</a>
            </>
          ) : (
            ' by email to the address your organization has for us'
          )}
          .
        </p>

        <h2>What not to submit</h2>
        <p>
          Please do not submit sensitive or personal data, such as health records, identity documents, payment
          cards or passwords. {product} does not need them to answer business questions.
        </p>
      </main>
      <footer className={styles.foot}>
        <a href="/terms">Terms</a>
      </footer>
    </div>
  );
}
