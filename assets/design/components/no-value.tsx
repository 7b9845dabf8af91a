/** Where a value is missing: a dash, read out as what it means. */
export const NoValue = () => (
  <span role="img" aria-label="no value">
    –
  </span>
);
