package io.bloomgate.blocklists.content;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All leaves of a mail as the splitter and the decoders give them, without the bounds of the
 * scanner. Made by tests.
 */
final class Leaves implements MimeHandler {

  /**
   * One leaf.
   *
   * @param octets decoded
   * @param charset as it is written, {@code null} for none
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by their text
  record Leaf(PartHead.Kind kind, byte[] octets, @Nullable String charset, int depth, int nested) {
    String text() {
      return new String(octets, ISO_8859_1);
    }
  }

  final List<Leaf> found;
  final List<Leaf> lines;
  final List<String> fields;
  final List<Skipped> skipped = new ArrayList<>();
  final MailShape shape;

  private final MimeLimits limits;
  private final TransferDecoder decoder = new TransferDecoder(this::decoded, TransferDecoder.BODY);
  private ByteArrayOutputStream octets = new ByteArrayOutputStream();
  private PartHead.Kind kind = PartHead.Kind.OTHER;
  private @Nullable String charset;
  private Position position = new Position(0, 0, 0, true);
  private @Nullable MimeSplitter inner;

  private Leaves(MimeLimits limits, MailShape shape) {
    this(limits, shape, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
  }

  private Leaves(
      MimeLimits limits, MailShape shape, List<Leaf> found, List<Leaf> lines, List<String> fields) {
    this.limits = limits;
    this.shape = shape;
    this.found = found;
    this.lines = lines;
    this.fields = fields;
  }

  /** Reads a mail in pieces of at most this number of octets. */
  static Leaves of(byte[] mail, MimeLimits limits, int piece) {
    Leaves all = new Leaves(limits, new MailShape());
    MimeSplitter splitter =
        new MimeSplitter(limits, all, all.shape, 7, new Position(0, 0, 0, true));
    for (int i = 0; i < mail.length; i += piece) {
      splitter.put(mail, i, Math.min(mail.length, i + piece));
    }
    splitter.end();
    return all;
  }

  /** Reads a mail whose lines end with LF. */
  static Leaves of(String mail) {
    return of(mail.getBytes(ISO_8859_1), MimeLimits.DEFAULTS, Integer.MAX_VALUE / 2);
  }

  List<String> texts() {
    return found.stream().map(Leaf::text).toList();
  }

  @Override
  public void field(FieldName name, byte[] field, int from, int to, Position position) {
    fields.add(name + ":" + new String(field, from, to - from, ISO_8859_1));
  }

  @Override
  public void begin(PartHead head, Position at, boolean isWhole) {
    whole = isWhole;
    octets = new ByteArrayOutputStream();
    kind = head.kind();
    charset = head.charset();
    position = at;
    decoder.start(head.encoding());
    if (kind == PartHead.Kind.MESSAGE) {
      Leaves nested = new Leaves(limits, shape);
      inner =
          new MimeSplitter(
              limits, nested, shape, 7, new Position(at.depth() + 1, at.nested() + 1, 0, true));
      nestedLeaves = nested;
    }
  }

  private @Nullable Leaves nestedLeaves;
  private boolean whole = true;

  private void decoded(byte[] piece, int from, int to) {
    if (inner != null) {
      inner.put(piece, from, to);
    } else {
      octets.write(piece, from, to - from);
    }
  }

  @Override
  public void put(byte[] piece, int from, int to) {
    decoder.put(piece, from, to);
  }

  @Override
  public void end() {
    decoder.end();
    if (inner != null && nestedLeaves != null) {
      inner.end();
      inner = null;
      found.addAll(nestedLeaves.found);
    } else {
      add(whole ? found : lines);
    }
  }

  /** The leaf as it is for readers for which it ends here; the longer one is among the lines. */
  @Override
  public void mayEnd() {
    if (whole) {
      add(found);
      whole = false;
    }
  }

  @Override
  public MimeHandler beside() {
    return new Leaves(limits, shape, found, lines, fields);
  }

  private void add(List<Leaf> to) {
    to.add(new Leaf(kind, octets.toByteArray(), charset, position.depth(), position.nested()));
  }

  @Override
  public void skipped(Skipped what) {
    skipped.add(what);
  }
}
