export {
  Button,
  type ButtonKind,
  type ButtonProps,
  IconButton,
  type IconButtonProps,
} from './controls/button.js';
export {
  Checkbox,
  type CheckboxProps,
  RadioGroup,
  type RadioGroupProps,
  Switch,
} from './controls/checkbox.js';
export { Combobox, type ComboboxProps } from './controls/combobox.js';
export type { FieldProps } from './controls/field.js';
export { FileDrop, type FileDropProps } from './controls/file-drop.js';
export { FieldGroup, Form, FormActions, type FormProps } from './controls/form.js';
export {
  LinkButton,
  type LinkButtonProps,
  RequestLinkContext,
  TextLink,
  type TextLinkProps,
} from './controls/link.js';
export { NumberField, type NumberFieldProps } from './controls/number-field.js';
export { type Option, Select, type SelectProps } from './controls/select.js';
export { SecretField, type SecretFieldProps } from './controls/secret-field.js';
export {
  SearchField,
  type SearchFieldProps,
  TextArea,
  type TextAreaProps,
  TextField,
  type TextFieldProps,
} from './controls/text-field.js';
export { Badge, type BadgeProps, type Status, StatusBadge } from './data/badge.js';
export { Chart } from './data/chart.js';
export type { ChartProps, ChartSeries } from './data/chart-props.js';
export { FilterBar, type FilterBarProps } from './data/filter-bar.js';
export { type Phase, PhaseBar } from './data/phase-bar.js';
export { ScrollList, type ScrollListProps } from './data/scroll-list.js';
export { type ShareRow, ShareTable, type ShareTableProps } from './data/share-table.js';
export { Table } from './data/table.js';
export { columnsOf, type TableColumn, type TableProps, type TableSort } from './data/table-props.js';
export { type ValueColumn, ValueGrid, type ValueGridProps } from './data/value-grid.js';
export { EmptyState, type EmptyStateProps } from './feedback/empty-state.js';
export { ErrorNotice, Notice, type NoticeProps, type Problem, type Tone } from './feedback/notice.js';
export { lazyPart, reloadDocument } from './feedback/lazy-part.js';
export { Progress, ProgressAnnouncer, type ProgressProps } from './feedback/progress.js';
export { Skeleton, Spinner, VisuallyHidden } from './feedback/spinner.js';
export { AppFrame, type AppFrameProps, CenteredFrame, type NavigationItem } from './layout/app-frame.js';
export {
  Card,
  type CardProps,
  FactsCard,
  KeyValues,
  type KeyValuesProps,
  Section,
  Stat,
} from './layout/card.js';
export { Disclosure, type DisclosureProps } from './layout/disclosure.js';
export { PageHeader, type PageHeaderProps, SkipLink } from './layout/page.js';
export { Tabs, type TabsProps } from './layout/tabs.js';
export { ConfirmDialog, type ConfirmDialogProps } from './overlays/confirm-dialog.js';
export { Dialog, type DialogProps } from './overlays/dialog.js';
export { Menu, type MenuItem, type MenuProps } from './overlays/menu.js';
export { toast, ToastRegion, useToast } from './overlays/toast.js';
export { Tooltip } from './overlays/tooltip.js';
export { Code, Truncated, type TruncatedProps } from './text/code.js';
export { CodeBlock, type CodeBlockProps } from './text/code-block.js';
export { CopyButton } from './text/copy-button.js';
export { CopyField, type CopyFieldProps, SecretOnce, type SecretOnceProps } from './text/copy-field.js';
export {
  formatBytes,
  formatCount,
  formatDate,
  formatDuration,
  formatLocal,
  formatRelative,
  formatUtc,
} from './text/format.js';
export { Bytes, Count, Duration, Time, type TimeProps } from './text/time.js';
export { setTheme, type Theme, ThemeSwitch } from './theme/theme-switch.js';
