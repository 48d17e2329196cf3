package mutation

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Find lists the mutants of the package in a folder below root, in the order of
// the source.
func Find(root, folder string) ([]Mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := inFile(filepath.ToSlash(filepath.Join(folder, filepath.Base(file))), source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func inFile(name string, source []byte) ([]Mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	f := finder{file: set.File(file.Pos()), name: name, source: source, seen: map[string]int{}}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil && !unseen(fn.Name.Name) {
			f.function = functionName(fn)
			ast.Inspect(fn.Body, f.visit)
		}
	}
	slices.SortStableFunc(f.found, func(a, b Mutant) int { return a.start - b.start })
	return f.found, nil
}

// unseen says which functions no case can see: none closes, and a String is for
// the texts of errors.
func unseen(name string) bool { return strings.EqualFold(name, "close") || name == "String" }

func functionName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	receiver := fn.Recv.List[0].Type
	if star, ok := receiver.(*ast.StarExpr); ok {
		receiver = star.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	return receiver.(*ast.Ident).Name + "." + fn.Name.Name
}

// A finder collects the mutants of a file.
type finder struct {
	file     *token.File
	name     string
	source   []byte
	function string
	found    []Mutant
	seen     map[string]int
}

// swaps are what an operator is exchanged for.
var swaps = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.AND}, token.AND_NOT: {token.AND},
	token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN}, token.AND_NOT_ASSIGN: {token.OR_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.BREAK: {token.CONTINUE}, token.CONTINUE: {token.BREAK},
}

// names are identifiers that are exchanged.
var names = map[string]string{"true": "false", "false": "true", "min": "max", "max": "min"}

func (f *finder) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		f.swap(n.OpPos, n.Op)
	case *ast.AssignStmt:
		f.swap(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			f.omit(n)
		}
	case *ast.IncDecStmt:
		f.swap(n.TokPos, n.Tok)
		f.omit(n)
	case *ast.BranchStmt:
		f.swap(n.TokPos, n.Tok)
	case *ast.IfStmt:
		f.negate(n.Cond)
	case *ast.ForStmt:
		f.negate(n.Cond)
	case *ast.UnaryExpr:
		f.unary(n)
	case *ast.BasicLit:
		f.literal(n)
	case *ast.Ident:
		if other := names[n.Name]; other != "" {
			f.add(n.Pos(), n.End(), other)
		}
	case *ast.ReturnStmt:
		if fails(n) { // what stands before an error is not read
			ast.Inspect(n.Results[len(n.Results)-1], f.visit)
			return false
		}
		f.result(n)
	case *ast.BlockStmt:
		if givesUp(n) { // what comes after the first failure is not read
			for _, s := range n.List[:len(n.List)-1] {
				ast.Inspect(s, f.visit)
			}
			return false
		}
	case *ast.ExprStmt:
		if called := callee(n.X); !left(called) {
			f.omit(n)
		}
	}
	return true
}

func (f *finder) swap(pos token.Pos, op token.Token) {
	for _, other := range swaps[op] {
		f.add(pos, pos+token.Pos(len(op.String())), other.String())
	}
}

// omit leaves a statement out, without leaving its variables unused.
func (f *finder) omit(n ast.Stmt) { f.add(n.Pos(), n.End(), "if false { "+f.text(n)+" }") }

func (f *finder) negate(cond ast.Expr) {
	if cond != nil {
		f.add(cond.Pos(), cond.End(), "!("+f.text(cond)+")")
	}
}

func (f *finder) unary(n *ast.UnaryExpr) {
	if n.Op == token.NOT || n.Op == token.SUB {
		f.add(n.OpPos, n.X.Pos(), "")
	}
}

func (f *finder) literal(n *ast.BasicLit) {
	if v, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
		f.add(n.Pos(), n.End(), strconv.FormatInt(v+1, 10))
	}
}

// result makes a return without values one that does not happen, and one of a
// comparison or call that could be a truth its opposite.
func (f *finder) result(n *ast.ReturnStmt) {
	if len(n.Results) == 0 {
		f.omit(n)
		return
	}
	for _, r := range n.Results {
		switch r := r.(type) {
		case *ast.BinaryExpr, *ast.CallExpr:
			f.add(r.Pos(), r.End(), "!("+f.text(r)+")")
		}
	}
}

// fails reports whether a return gives an error behind other results.
func fails(n *ast.ReturnStmt) bool {
	if len(n.Results) < 2 {
		return false
	}
	switch last := n.Results[len(n.Results)-1].(type) {
	case *ast.Ident:
		return last.Name == "err"
	case *ast.SelectorExpr:
		return strings.HasPrefix(last.Sel.Name, "Err")
	case *ast.UnaryExpr:
		return last.Op == token.AND // of an error's literal
	}
	return false
}

// givesUp reports whether a block ends with a call of fail and a return.
func givesUp(block *ast.BlockStmt) bool {
	n := len(block.List)
	if n < 2 {
		return false
	}
	call, calls := block.List[n-2].(*ast.ExprStmt)
	_, returns := block.List[n-1].(*ast.ReturnStmt)
	return calls && returns && callee(call.X) == "fail"
}

// callee is the name of what is called, "" where it has none.
func callee(x ast.Expr) string {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return ""
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// left says which calls are left alone: locks, and what never happens.
func left(name string) bool {
	return slices.Contains([]string{"Lock", "Unlock", "RLock", "RUnlock", "panic"}, name)
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.file.Offset(n.Pos()):f.file.Offset(n.End())])
}

func (f *finder) add(from, to token.Pos, after string) {
	m := Mutant{File: f.name, Function: f.function, Line: f.file.Line(from), After: after,
		start: f.file.Offset(from), end: f.file.Offset(to)}
	m.Before = string(f.source[m.start:m.end])
	m.Source = f.line(m.Line)
	id := m.ID()
	m.Nth = f.seen[id]
	f.seen[id]++
	f.found = append(f.found, m)
}

func (f *finder) line(n int) string {
	start := f.file.Offset(f.file.LineStart(n))
	line, _, _ := strings.Cut(string(f.source[start:]), "\n")
	return strings.TrimSpace(line)
}
