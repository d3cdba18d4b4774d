{{- define "understudy-agent.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "understudy-agent.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 52 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 52 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "understudy-agent.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "understudy-agent.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "understudy-agent.selectorLabels" -}}
app.kubernetes.io/name: {{ include "understudy-agent.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "understudy-agent.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "understudy-agent.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "understudy-agent.image" -}}
{{- $path := printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- if .Values.image.registry }}{{ .Values.image.registry }}/{{ end }}{{ $path }}
{{- end }}

{{- /* The policy. Every url_env needs an entry in `databases`, and every entry a database of the policy. */}}
{{- define "understudy-agent.policy" -}}
{{- $given := list }}
{{- range .Values.databases }}{{ $given = append $given .env }}{{ end }}
{{- $named := list }}
{{- range $name, $database := .Values.policy.databases }}
{{- $named = append $named $database.url_env }}
{{- if not (has $database.url_env $given) }}
{{- fail (printf "policy.databases.%s: expected an entry of databases with env: %s, found none" $name $database.url_env) }}
{{- end }}
{{- end }}
{{- range $given }}
{{- if not (has . $named) }}
{{- fail (printf "databases: expected a database of the policy with url_env: %s, found none" .) }}
{{- end }}
{{- end }}
{{- toYaml .Values.policy }}
{{- end }}
