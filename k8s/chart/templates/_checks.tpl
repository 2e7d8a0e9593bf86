{{/* What values.schema.json cannot say: sums, and names that would be there twice. */}}

{{- define "weir.terminationGracePeriodSeconds" -}}
{{- .Values.terminationGracePeriodSeconds | default (add .Values.drain.deadlineSeconds 5) | int -}}
{{- end -}}

{{- define "weir.checks" -}}
{{- with .Values.drain -}}
{{- if ge (int .delaySeconds) (int .deadlineSeconds) -}}
{{- fail "drain.delaySeconds is a part of drain.deadlineSeconds, so it must be less." -}}
{{- end -}}
{{- if le (include "weir.terminationGracePeriodSeconds" $ | int) (int .deadlineSeconds) -}}
{{- fail "terminationGracePeriodSeconds must be above drain.deadlineSeconds, or Kubernetes kills pods while they drain." -}}
{{- end -}}
{{- end -}}
{{- with .Values.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- fail "autoscaling.minReplicas must not be above autoscaling.maxReplicas." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (not (dig "requests" "cpu" nil .Values.resources)) -}}
{{- fail "autoscaling needs resources.requests.cpu: its target is a share of that." -}}
{{- end -}}
{{- with .Values.networkPolicy -}}
{{- $types := list $.Values.redis.type (ternary $.Values.redis.perSecond.type "" $.Values.redis.perSecond.enabled) -}}
{{- if and .enabled (eq $.Values.store "redis") (has "sentinel" $types) (not (has "26379" (splitList "," (join "," .redis.ports)))) -}}
{{- fail "networkPolicy.redis.ports must hold 26379, or the port that your Sentinels have: they say where Redis is." -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.form "sidecar") (semverCompare "<1.29.0-0" .Capabilities.KubeVersion.Version) -}}
{{- fail "form sidecar needs Kubernetes 1.29: before, the pod would wait for Weir to end before its containers start." -}}
{{- end -}}
{{- $own := dict -}}
{{- range include "weir.ownEnv" . | fromYamlArray -}}
{{- $_ := set $own .name true -}}
{{- end -}}
{{- range $name, $_ := .Values.settings -}}
{{- if hasKey $own $name -}}
{{- fail (printf "settings.%s: the chart sets this variable itself. Use the value that is for it: see README.md of the chart." $name) -}}
{{- end -}}
{{- end -}}
{{- range .Values.extraEnv -}}
{{- if or (hasKey $own .name) (hasKey $.Values.settings .name) -}}
{{- fail (printf "extraEnv: %s is set by the chart or in settings already." .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
