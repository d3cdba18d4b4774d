{{- define "understudy.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "understudy.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if contains $name .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}
{{- end }}

{{- define "understudy.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/name: {{ include "understudy.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* The labels of one kind of pods. Takes the list of the root context and the component. */}}
{{- define "understudy.selectorLabels" -}}
app.kubernetes.io/name: {{ include "understudy.name" (first .) }}
app.kubernetes.io/instance: {{ (first .).Release.Name }}
app.kubernetes.io/component: {{ last . }}
{{- end }}

{{- define "understudy.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "understudy.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "understudy.image" -}}
{{- $path := printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- if .Values.image.registry }}{{ .Values.image.registry }}/{{ end }}{{ $path }}
{{- end }}

{{- /* A projected volume with the files of some secrets. Takes the list of the root context and the names. */}}
{{- define "understudy.secretsVolume" -}}
{{- $values := (first .).Values -}}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range last . }}
      {{- $entry := get $values.secretKeys . }}
      - secret:
          name: {{ default $values.existingSecret $entry.existingSecret }}
          items:
            - key: {{ $entry.key }}
              path: {{ kebabcase . }}
      {{- end }}
{{- end }}

{{- define "understudy.caVolume" -}}
{{- with .Values.caBundle }}
{{- if .existingConfigMap -}}
- name: ca
  configMap:
    name: {{ .existingConfigMap }}
    items:
      - key: {{ .key }}
        path: ca.crt
{{- end }}
{{- end }}
{{- end }}

{{- /* The variables that the server and the migration need to reach PostgreSQL. */}}
{{- define "understudy.databaseVariables" -}}
- name: UNDERSTUDY_DATABASE_URL_FILE
  value: /etc/understudy/secrets/database-url
{{- with .Values.allowPlaintext }}
- name: UNDERSTUDY_ALLOW_PLAINTEXT
  value: {{ join "," . | quote }}
{{- end }}
{{- if .Values.caBundle.existingConfigMap }}
- name: UNDERSTUDY_CA_FILE
  value: /etc/understudy/ca/ca.crt
{{- end }}
{{- end }}

{{- define "understudy.databaseMounts" -}}
- name: secrets
  mountPath: /etc/understudy/secrets
  readOnly: true
{{- if .Values.caBundle.existingConfigMap }}
- name: ca
  mountPath: /etc/understudy/ca
  readOnly: true
{{- end }}
{{- end }}

{{- /* The rules of egress to the name server and to PostgreSQL. */}}
{{- define "understudy.databaseEgress" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns | nindent 4 }}
  ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
- to:
    {{- toYaml .Values.postgresql.to | nindent 4 }}
  ports:
    - protocol: TCP
      port: {{ .Values.postgresql.port }}
{{- end }}
