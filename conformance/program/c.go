package program

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

var c = language{
	page: newPage("c.tmpl", template.FuncMap{
		"frame": func(s *surface.Struct) cFrame { return cFrames[s] },
		"put":   cPut,
		"read":  cRead,
		"name":  cName,
	}),
	construct: cNew,
	call:      cCall,
	literal:   cLiteral,
}

// A cFrame is how a struct stands in the buffer that a call writes: headers, and
// behind them the bytes of each.
type cFrame struct {
	Header string
	Bytes  string            // how many of them a header h has
	fields map[string]string // the statements for those that are not just h's of that name
}

var cFrames = map[*surface.Struct]cFrame{
	surface.Record:     {"eb_event_record", "h->payload_len", cTopicAndPayload},
	surface.Delivery:   {"eb_message_header", "h->payload_len", with(cTopicAndPayload, "attempt", integerOf("h->attempts"))},
	surface.DeadLetter: {"eb_message_header", "h->payload_len", cTopicAndPayload},
	surface.Letter:     {"eb_pubsub_letter", "h->payload_len + h->error_len", cTopicAndPayload},
	surface.Standing: {"eb_pubsub_standing", "h->reason_len", map[string]string{
		"subscribed": "put_bool(count == 1);", "disconnected": "put_bool(h->reason_len > 0);"}},
}

// cTopicAndPayload: a frame does not repeat the topic that was asked for.
var cTopicAndPayload = map[string]string{"topic": "put_text(topic, topic_len);", "payload": "put_text(bytes, h->payload_len);"}

func with(all map[string]string, name, statement string) map[string]string {
	more := map[string]string{name: statement}
	for k, v := range all {
		more[k] = v
	}
	return more
}

func integerOf(expression string) string {
	return fmt.Sprintf(`put("%%lld", (long long)%s);`, expression)
}

// cPut is the statement that prints a field of a header h.
func cPut(f cFrame, name string) string {
	if s, ok := f.fields[name]; ok {
		return s
	}
	return integerOf("h->" + name)
}

// cName is a struct's name as a word.
func cName(s *surface.Struct) string { return strings.ReplaceAll(s.Name, " ", "_") }

// cRead is the function that prints a value of a word frame.
func cRead(t surface.Type) string {
	switch t := t.(type) {
	case surface.Optional:
		return cRead(t.Of)
	case surface.List:
		if t.Of == surface.Field32 || t.Of == surface.Int32 {
			return "read_int32s"
		}
		return cRead(t.Of) + "_list"
	case *surface.Struct:
		return "read_" + cName(t)
	case surface.Scalar:
		if t.IsString() || t == surface.Bytes {
			return "read_text"
		}
	}
	return "read_number"
}

func cNew(c *corpus.Case) string {
	system, _ := surface.FindSystem(c.System)
	var args []string
	for i, v := range c.New {
		args = append(args, cLiteral(v, system.New[i].Type))
	}
	options := "NULL"
	if c.Options != nil {
		list := []string{fmt.Sprintf("sizeof(eb_%s_options)", c.System)}
		for _, p := range system.Options {
			if v, ok := c.Options[p.Name]; ok {
				list = append(list, "."+p.Name+" = "+cOption(p, v))
			}
		}
		options = fmt.Sprintf("&(eb_%s_options){%s}", c.System, strings.Join(list, ", "))
	}
	return fmt.Sprintf("eb_%s_new(%s)", c.System, strings.Join(append(args, options, "&broker"), ", "))
}

func cOption(p surface.Param, v any) string {
	if p.Name == "max_attempts" && v == int64(0) {
		return "EB_PUBSUB_NO_LIMIT"
	}
	return cLiteral(v, p.Type)
}

// cCall is a call, and around it the function that prints its answer.
func cCall(p *page, c call) string {
	args := p.literals(c)
	switch c.Name {
	case "calls_of":
		return fmt.Sprintf("calls_of(%s)", strings.Join(args, ", "))
	case "subscribe":
		n := p.handler(c)
		args[2] = fmt.Sprintf("add(handler_%d)", n)
		args = append(args, cSubscribeOptions(c), "worker()")
	case "create_topic":
		if p.Case.System == "pubsub" {
			args = append(args, cRetain(c))
		}
	case "drain":
		return "integer(drain())"
	case "publish_many", "ack_many":
		return cBatch(c, args)
	}
	if !p.hasBroker() {
		return assignCall(c, args)
	}
	args = slices.Insert(args, 0, "broker")
	before := ""
	switch t := c.Returns.(type) {
	case surface.List:
		if t.Of == surface.Int32 {
			return fmt.Sprintf("partitions(eb_%s_%s(%s, owned, EB_EVENT_MAX_PARTITIONS))", p.Case.System, c.Name, strings.Join(args, ", "))
		}
		before = cName(t.Of.(*surface.Struct)) + "_list(" + args[1] + ", "
	case surface.Optional:
		before = cName(t.Of.(*surface.Struct)) + "_or_null(" + args[1] + ", "
	case *surface.Struct:
		before = cName(t) + "(" + args[1] + ", "
	default:
		return fmt.Sprintf("%s(eb_%s_%s(%s))", cScalars[c.Returns], p.Case.System, c.Name, strings.Join(args, ", "))
	}
	return fmt.Sprintf("%seb_%s_%s(%s, frame, sizeof frame))", before, p.Case.System, c.Name, strings.Join(args, ", "))
}

// cBatch makes a batch where the call takes it from, and then the call.
func cBatch(c call, args []string) string {
	last := len(args) - 1
	count := len(c.Args[last].([]any))
	names := strings.Join(args[:last], ", ")
	if c.Name == "publish_many" {
		return fmt.Sprintf("(%soffset_list(%d, eb_event_publish_many(broker, %s, batch, batch_len, %d, offsets)))", args[last], count, names, count)
	}
	return fmt.Sprintf("(%sacked_list(%d, eb_event_ack_many(broker, %s, (const void *)batch, %d, acked)))", args[last], count, names, count)
}

// cScalars are the functions that print answers that are numbers.
var cScalars = map[surface.Type]string{surface.Bool: "truth", surface.Null: "nothing", surface.Int32: "integer", surface.Int64: "integer"}

func cSubscribeOptions(c call) string {
	if c.Options == nil {
		return "NULL"
	}
	group, policy, filtered := "NULL, 0", "EB_PUBSUB_DROP", 0
	if v, ok := c.Options["group"]; ok {
		group = cLiteral(v, surface.Identifier)
	}
	if v, ok := c.Options["policy"]; ok {
		policy = cLiteral(v, surface.Policy)
	}
	if c.Options["filter"] != nil {
		filtered = 1
	}
	return fmt.Sprintf("&(eb_pubsub_subscription){sizeof(eb_pubsub_subscription), %s, %s, %d}", group, policy, filtered)
}

func cRetain(c call) string {
	if c.Options == nil {
		return "0"
	}
	return cLiteral(c.Options["retain"], surface.Limit)
}

// assignCall is a function of word frames, or of bytes.
func assignCall(c call, args []string) string {
	function, read := "eb_assign_"+c.Name, cRead(c.Returns)
	if c.Name == "range_assign" {
		function, read = "eb_assign_range", "read_assigned"
	}
	if c.Params[0].Type == surface.Bytes {
		return fmt.Sprintf("word_frame(%s, %s(%s, frame, sizeof frame))", read, function, args[0])
	}
	made := fmt.Sprintf("%s(input, input_len, frame, sizeof frame)", function)
	if c.Returns == surface.Bytes {
		made = "octets(" + made + ")"
	} else {
		made = fmt.Sprintf("word_frame(%s, %s)", read, made)
	}
	return fmt.Sprintf("(begin(), %s%s)", strings.Join(args, ""), made)
}

// cLiteral is a string as two arguments, and what goes into a word frame or a
// batch as calls that write it there, each with a comma behind it.
func cLiteral(v any, t surface.Type) string {
	switch t := t.(type) {
	case surface.List:
		if t.Of == surface.Rule {
			return "" // a handler stands in its place
		}
		if _, is := t.Of.(*surface.Tuple); is {
			list := elements(v, t.Of, cLiteral)
			return fmt.Sprintf("begin(%d), ", len(list)) + strings.Join(list, "")
		}
		return words(v, t)
	case *surface.Tuple:
		return t.Name + "(" + strings.Join(named(v, t, cLiteral, unnamed), ", ") + "), "
	case surface.Map, *surface.Struct:
		return words(v, t)
	case *surface.Choice:
		if i := word(v, t); i < len(t.Values) {
			return "EB_PUBSUB_" + strings.ToUpper(t.Values[i].(string))
		}
		return fmt.Sprint(len(t.Values))
	}
	if v == nil {
		return "NULL, 0"
	}
	s, ok := content(v)
	if !ok {
		return integer(v)
	}
	if unit, times := period(s); times > 0 {
		return fmt.Sprintf("repeat(%s, %d, %d), %d", ascii(unit), len(unit), times, len(s))
	}
	return fmt.Sprintf("%s, %d", ascii(s), len(s))
}

// cOrder is the order of a struct's fields in a word frame, where it is not the
// table's.
var cOrder = map[*surface.Struct][]string{surface.Member: {"id", "instance_id", "topics"}}

func words(v any, t surface.Type) string {
	switch t := t.(type) {
	case surface.Optional:
		return words(v, t.Of)
	case surface.List:
		if t.Of == surface.Field32 {
			return int32s(v.([]any))
		}
		return fmt.Sprintf("number(%d), ", len(v.([]any))) + strings.Join(elements(v, t.Of, words), "")
	case surface.Map:
		return fmt.Sprintf("number(%d), ", len(v.(map[string]any))) + strings.Join(entries(v, t.Of, words, "%s%s"), "")
	case *surface.Struct:
		return structWords(v.(map[string]any), t)
	}
	if t == surface.String || t == surface.Bytes {
		return fmt.Sprintf("text(%s), ", cLiteral(v, t))
	}
	return fmt.Sprintf("number(%s), ", integer(v))
}

func structWords(v map[string]any, t *surface.Struct) string {
	types := map[string]surface.Type{}
	var order []string
	for _, f := range t.Fields {
		types[f.Name] = f.Type
		order = append(order, f.Name)
	}
	if own := cOrder[t]; own != nil {
		order = own
	}
	var b strings.Builder
	for _, name := range order {
		b.WriteString(words(v[name], types[name]))
	}
	return b.String()
}

func int32s(list []any) string {
	if len(list) == 0 {
		return "number(0), "
	}
	var numbers []string
	for _, v := range list {
		numbers = append(numbers, integer(v))
	}
	return fmt.Sprintf("int32s((const int32_t[]){%s}, %d), ", strings.Join(numbers, ", "), len(list))
}
