import { Select } from 'design/components/select';
import type { Role } from './api';

interface Props {
  label: string;
  value: Role;
  disabled?: boolean;
  onChange(role: Role): void;
}

export function RoleSelect({ label, value, disabled, onChange }: Props) {
  return (
    <Select
      aria-label={label}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.target.value as Role)}
    >
      <option value="basic">Basic</option>
      <option value="admin">Admin</option>
    </Select>
  );
}
