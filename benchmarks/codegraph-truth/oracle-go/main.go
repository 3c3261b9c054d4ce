// Answers with go/types where symbols of a tree are used. Packages that are not part of the tree or
// of the standard library are unknown, so what it says is a lower bound of the truth.
package main

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

type place struct {
	Path   string `json:"path"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type truth struct {
	Places []place `json:"places"`
	Error  string  `json:"error,omitempty"`
}

type report struct {
	Truths  []any    `json:"truths"`
	Errors  int      `json:"errors"`
	Checked []string `json:"checked"`
}

type folder struct {
	plain, inside, outside []*ast.File
}

type oracle struct {
	root     string
	set      *token.FileSet
	modules  map[string]string
	folders  map[string]*folder
	packages map[string]*types.Package
	loading  map[string]bool
	standard types.Importer
	uses     map[token.Pos]map[token.Pos]bool
	defs     map[token.Pos]types.Object
	named    map[token.Pos]types.Type
	errors   int
	checked  map[string]bool
}

func main() {
	var targets []place
	if err := json.NewDecoder(os.Stdin).Decode(&targets); err != nil {
		panic(err)
	}
	o := newOracle(os.Args[1])
	o.read()
	for dir := range o.folders {
		o.check(dir)
	}
	families := o.families()
	result := report{Errors: o.errors}
	byPlace := map[place]token.Pos{}
	for pos := range o.defs {
		byPlace[o.place(pos)] = pos
	}
	for _, target := range targets {
		pos, found := byPlace[target]
		if !found {
			result.Truths = append(result.Truths, map[string]string{"error": "nothing is declared there"})
			continue
		}
		result.Truths = append(result.Truths, truth{Places: o.placesOf(append(families[pos], pos))})
	}
	for path := range o.checked {
		result.Checked = append(result.Checked, path)
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		panic(err)
	}
}

func newOracle(root string) *oracle {
	set := token.NewFileSet()
	return &oracle{
		root: root, set: set,
		modules: map[string]string{}, folders: map[string]*folder{},
		packages: map[string]*types.Package{}, loading: map[string]bool{},
		standard: importer.ForCompiler(set, "source", nil),
		uses:     map[token.Pos]map[token.Pos]bool{}, defs: map[token.Pos]types.Object{},
		named: map[token.Pos]types.Type{}, checked: map[string]bool{},
	}
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+"?([^\s"]+)"?`)

// read parses every file that the build of this machine would take.
func (o *oracle) read() {
	_ = filepath.WalkDir(o.root, func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		name := entry.Name()
		if entry.IsDir() {
			if path != o.root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "vendor") {
				return filepath.SkipDir
			}
			return nil
		}
		if name == "go.mod" {
			if text, err := os.ReadFile(path); err == nil {
				if match := moduleLine.FindSubmatch(text); match != nil {
					o.modules[string(match[1])] = filepath.Dir(path)
				}
			}
		}
		if strings.HasSuffix(name, ".go") {
			o.parse(path)
		}
		return nil
	})
}

func (o *oracle) parse(path string) {
	dir := filepath.Dir(path)
	if matches, err := build.Default.MatchFile(dir, filepath.Base(path)); err != nil || !matches {
		return
	}
	file, err := parser.ParseFile(o.set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		o.errors++
	}
	if file == nil {
		return
	}
	if o.folders[dir] == nil {
		o.folders[dir] = &folder{}
	}
	in := o.folders[dir]
	local, _ := filepath.Rel(o.root, path)
	o.checked[local] = true
	switch {
	case !strings.HasSuffix(path, "_test.go"):
		in.plain = append(in.plain, file)
	case strings.HasSuffix(file.Name.Name, "_test"):
		in.outside = append(in.outside, file)
	default:
		in.inside = append(in.inside, file)
	}
}

func (o *oracle) check(dir string) {
	in := o.folders[dir]
	o.plain(dir)
	if len(in.inside) > 0 {
		o.types(o.pathOf(dir), append(append([]*ast.File{}, in.plain...), in.inside...))
	}
	if len(in.outside) > 0 {
		o.types(o.pathOf(dir)+"_test", in.outside)
	}
}

func (o *oracle) plain(dir string) *types.Package {
	if known, found := o.packages[dir]; found {
		return known
	}
	if o.loading[dir] {
		return nil
	}
	o.loading[dir] = true
	found := o.types(o.pathOf(dir), o.folders[dir].plain)
	o.packages[dir] = found
	return found
}

func (o *oracle) pathOf(dir string) string {
	best, found := "", dir
	for name, folder := range o.modules {
		if (dir == folder || strings.HasPrefix(dir, folder+"/")) && len(folder) >= len(best) {
			best, found = folder, name+strings.TrimPrefix(dir, folder)
		}
	}
	return found
}

// Import finds packages of the tree and of the standard library; others are empty.
func (o *oracle) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	best := ""
	for name := range o.modules {
		if (path == name || strings.HasPrefix(path, name+"/")) && len(name) > len(best) {
			best = name
		}
	}
	if best != "" {
		dir := o.modules[best] + strings.TrimPrefix(path, best)
		if in := o.folders[dir]; in != nil && len(in.plain) > 0 {
			if found := o.plain(dir); found != nil {
				return found, nil
			}
		}
	}
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		if found, err := o.standard.Import(path); err == nil {
			return found, nil
		}
	}
	parts := strings.Split(path, "/")
	name := parts[len(parts)-1]
	if len(parts) > 1 && regexp.MustCompile(`^v\d+$`).MatchString(name) {
		name = parts[len(parts)-2]
	}
	empty := types.NewPackage(path, strings.TrimSuffix(strings.TrimPrefix(strings.Split(name, ".")[0], "go-"), "-go"))
	empty.MarkComplete()
	return empty, nil
}

func (o *oracle) types(path string, files []*ast.File) *types.Package {
	info := types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: o, FakeImportC: true, Error: func(error) { o.errors++ }}
	found, _ := config.Check(path, o.set, files, &info)
	for ident, object := range info.Uses {
		pos := origin(object).Pos()
		if !pos.IsValid() {
			continue
		}
		if o.uses[pos] == nil {
			o.uses[pos] = map[token.Pos]bool{}
		}
		o.uses[pos][ident.Pos()] = true
	}
	for _, object := range info.Defs {
		if object == nil {
			continue
		}
		if _, known := o.defs[object.Pos()]; !known {
			o.defs[object.Pos()] = object
		}
		if name, isType := object.(*types.TypeName); isType && declaresType(name) && name.Parent() == name.Pkg().Scope() {
			if _, known := o.named[object.Pos()]; !known {
				o.named[object.Pos()] = name.Type()
			}
		}
	}
	return found
}

func origin(object types.Object) types.Object {
	switch one := object.(type) {
	case *types.Func:
		return one.Origin()
	case *types.Var:
		return one.Origin()
	}
	return object
}

// declaresType excludes other names of a declared type, but not `type a = interface{…}`.
func declaresType(name *types.TypeName) bool {
	_, isNamed := name.Type().(*types.Named)
	return !name.IsAlias() || !isNamed
}

// families has, for each method, those that it implements or that implement it.
func (o *oracle) families() map[token.Pos][]token.Pos {
	found := map[token.Pos][]token.Pos{}
	for _, below := range o.named {
		if types.IsInterface(below) {
			continue
		}
		for _, above := range o.named {
			below, above := withSameArguments(below, above)
			face, isInterface := above.Underlying().(*types.Interface)
			if !isInterface || face.NumMethods() == 0 || !implements(below, face) {
				continue
			}
			for i := 0; i < face.NumMethods(); i++ {
				method := face.Method(i)
				object, _, _ := types.LookupFieldOrMethod(types.NewPointer(below), false, method.Pkg(), method.Name())
				if own, isFunc := object.(*types.Func); isFunc && own.Pos() != method.Pos() {
					found[own.Pos()] = append(found[own.Pos()], method.Pos())
					found[method.Pos()] = append(found[method.Pos()], own.Pos())
				}
			}
		}
	}
	return found
}

// withSameArguments gives two generic types the same type arguments, without which they cannot be
// compared.
func withSameArguments(below, above types.Type) (types.Type, types.Type) {
	parameters := typeParameters(below)
	if len(parameters) == 0 || len(parameters) != len(typeParameters(above)) {
		return below, above
	}
	first, errFirst := types.Instantiate(nil, below, parameters, false)
	second, errSecond := types.Instantiate(nil, above, parameters, false)
	if errFirst != nil || errSecond != nil {
		return below, above
	}
	return first, second
}

func typeParameters(of types.Type) []types.Type {
	named, isNamed := of.(*types.Named)
	if !isNamed {
		return nil
	}
	found := []types.Type{}
	for i := 0; i < named.TypeParams().Len(); i++ {
		found = append(found, named.TypeParams().At(i))
	}
	return found
}

func implements(below types.Type, face *types.Interface) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	return types.Implements(below, face) || types.Implements(types.NewPointer(below), face)
}

func (o *oracle) placesOf(targets []token.Pos) []place {
	seen := map[token.Pos]bool{}
	places := []place{}
	for _, target := range targets {
		for pos := range o.uses[target] {
			if !seen[pos] {
				seen[pos] = true
				places = append(places, o.place(pos))
			}
		}
	}
	return places
}

func (o *oracle) place(pos token.Pos) place {
	at := o.set.Position(pos)
	path, err := filepath.Rel(o.root, at.Filename)
	if err != nil {
		path = at.Filename
	}
	return place{Path: path, Line: at.Line, Column: at.Column}
}
