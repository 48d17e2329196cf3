package eventbroker;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Bytes and strings on a line: an x and hexadecimal digits, or a minus for null. */
final class Text {
    private Text() {}

    static String of(ByteBuffer bytes) {
        if (bytes == null) {
            return "-";
        }
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        return "x" + HexFormat.of().formatHex(copy);
    }

    static String of(String string) {
        return string == null ? "-" : of(StandardCharsets.UTF_8.encode(string));
    }

    static ByteBuffer bytes(String text) {
        return text.equals("-") ? null : ByteBuffer.wrap(HexFormat.of().parseHex(text, 1, text.length()));
    }

    static String string(String text) {
        return text.equals("-") ? null : StandardCharsets.UTF_8.decode(bytes(text)).toString();
    }
}
