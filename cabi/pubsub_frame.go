package main

import (
	"encoding/binary"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// The frames of the pub-sub broker: words of 8 bytes, little-endian, and texts.

// deliverySize is sizeof(eb_pubsub_delivery).
const deliverySize = 56

func putDelivery(frame []byte, token uint64, d *engine.Delivery) {
	spare, _ := truth(d.Spare, nil)
	putWords(frame, int64(token), int64(d.Tag.(uint64)), d.Offset, int64(d.Attempt), spare,
		int64(len(d.Topic)), int64(len(d.Payload)))
	n := copy(frame[deliverySize:], d.Topic)
	copy(frame[deliverySize+n:], d.Payload)
}

// letterSize is sizeof(eb_pubsub_letter).
const letterSize = 24

func putLetters(frame []byte, letters []engine.Letter) {
	texts := frame[len(letters)*letterSize:]
	for i, l := range letters {
		header := frame[i*letterSize:]
		binary.LittleEndian.PutUint64(header, uint64(l.Offset))
		binary.LittleEndian.PutUint64(header[8:], uint64(l.Attempts))
		binary.LittleEndian.PutUint32(header[16:], uint32(len(l.Payload)))
		binary.LittleEndian.PutUint32(header[20:], uint32(len(l.Error)))
		texts = texts[copy(texts, l.Payload):]
		texts = texts[copy(texts, l.Error):]
	}
}

// standingSize is sizeof(eb_pubsub_standing).
const standingSize = 32

func putStanding(frame []byte, s engine.Status) {
	putWords(frame, s.Offset, int64(s.Attempts), s.Lost, int64(len(s.Reason)))
	copy(frame[standingSize:], s.Reason)
}

func putWords(frame []byte, words ...int64) {
	for i, word := range words {
		binary.LittleEndian.PutUint64(frame[8*i:], uint64(word))
	}
}
