// Renders a chart as helm does: text/template with Sprig and helm's own functions. Reads a Request as JSON from stdin,
// and writes a Result to stdout. Values are already merged and checked.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type Request struct {
	Chart map[string]interface{} // Name, Version and AppVersion
	// The text of each file in templates/, by its path from the folder of the charts.
	Templates    map[string]string
	Capabilities Capabilities
	Release      map[string]interface{} // Name, Namespace, Service, IsInstall, IsUpgrade and Revision
	Values       map[string]interface{}
}

type Capabilities struct {
	KubeVersion map[string]string
	APIVersions APIVersions
}

type APIVersions []string

// Has reports whether the cluster has an API version, such as `monitoring.coreos.com/v1`.
func (versions APIVersions) Has(version string) bool {
	for _, each := range versions {
		if each == version {
			return true
		}
	}
	return false
}

// Result has the rendered text of each template, or the error.
type Result struct {
	Texts map[string]string `json:"texts,omitempty"`
	Error string            `json:"error,omitempty"`
}

func main() {
	var request Request
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		fmt.Fprintln(os.Stderr, "expected a request as JSON on stdin:", err)
		os.Exit(2)
	}
	var result Result
	if texts, err := render(request); err != nil {
		result.Error = err.Error()
	} else {
		result.Texts = texts
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func render(request Request) (map[string]string, error) {
	set := template.New("chart").Option("missingkey=zero")
	set.Funcs(functions(set))
	for name, text := range request.Templates {
		if _, err := set.New(name).Parse(text); err != nil {
			return nil, err
		}
	}
	texts := map[string]string{}
	for name := range request.Templates {
		if strings.HasPrefix(name[strings.LastIndex(name, "/")+1:], "_") {
			continue // only defines named templates
		}
		dot := map[string]interface{}{
			"Chart":        request.Chart,
			"Release":      request.Release,
			"Values":       request.Values,
			"Capabilities": request.Capabilities,
			"Template":     map[string]string{"Name": name, "BasePath": name[:strings.LastIndex(name, "/")]},
		}
		text, err := execute(set, name, dot)
		if err != nil {
			return nil, err
		}
		texts[name] = text
	}
	return texts, nil
}

// functions returns Sprig's functions without the environment, and helm's own ones.
func functions(set *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	depth := 0
	all["include"] = func(name string, dot interface{}) (string, error) {
		if depth++; depth > 100 {
			return "", fmt.Errorf("include %q: more than 100 nested templates", name)
		}
		defer func() { depth-- }()
		return execute(set, name, dot)
	}
	all["tpl"] = func(text string, dot interface{}) (string, error) {
		copied, err := set.Clone()
		if err != nil {
			return "", err
		}
		if _, err := copied.New("tpl").Parse(text); err != nil {
			return "", err
		}
		return execute(copied, "tpl", dot)
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	all["lookup"] = func(version, kind, namespace, name string) map[string]interface{} {
		return map[string]interface{}{} // as in `helm template`, there is no cluster
	}
	all["toYaml"] = toYaml
	all["fromYaml"] = func(text string) (map[string]interface{}, error) {
		value := map[string]interface{}{}
		return value, yaml.Unmarshal([]byte(text), &value)
	}
	return all
}

func execute(set *template.Template, name string, dot interface{}) (string, error) {
	var out bytes.Buffer
	if err := set.ExecuteTemplate(&out, name, dot); err != nil {
		return "", err
	}
	return strings.ReplaceAll(out.String(), "<no value>", ""), nil
}

// toYaml converts through JSON, as helm does, so that whole numbers have no exponent.
func toYaml(value interface{}) (string, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	var plain interface{}
	if err := yaml.Unmarshal(text, &plain); err != nil {
		return "", err
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(plain); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}
