package io.bloomgate.gateway.relay;

import io.bloomgate.gateway.smtp.OctetScan;
import io.bloomgate.gateway.smtp.Reply;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content of one message on its way to the mail server: dots at line starts doubled (RFC 5321
 * section 4.5.2), gathered into blocks, ended by the lone dot. At first everything is held, so that
 * a slow client keeps no mail server inside DATA; from {@link UpstreamSession#data} on, blocks go
 * out as they fill. A mail server may answer before the message is complete, and close the
 * connection; that answer counts, and no final dot is sent.
 *
 * <p>Filled by sessions, sent by {@link UpstreamDialog} to its {@link UpstreamClient}; one object a
 * message, one thread. Octets are never decoded: the writer of commons-net goes character by
 * character, misses a dot on the first line and rewrites line ends.
 */
public final class OutgoingContent implements AutoCloseable {

  /** Octets held at most: a message of 256 KiB with our fields above it. */
  public static final int HELD_OCTETS = 264 * 1024;

  /** Octets gathered before they are written: 64 KiB with our fields above it go in one write. */
  static final int BLOCK_OCTETS = 72 * 1024;

  /** Octets of the block with which a message begins: most have no more. */
  static final int FIRST_OCTETS = 8 * 1024;

  /**
   * The growth of a block while memory is short: a client makes us keep at most this multiple of
   * what it sent. While memory is free, content that does not fit into the first octets gets a
   * whole block.
   */
  private static final int GROWTH = 4;

  private static final byte[] NOTHING = {};
  private static final byte[] END = {'.', '\r', '\n'};
  private static final byte[] LINE_END = {'\r', '\n'};

  /** The receiver of blocks: the connection to a mail server. */
  interface Sink {
    /** Writes all of it, in one write. */
    void write(byte[] octets, int offset, int length) throws IOException;

    /** The refusal by which it has answered already; {@code null} for none. */
    default @Nullable Reply answered() throws IOException {
      return null;
    }

    /**
     * The refusal of a mail server that closed the connection while it got the content.
     *
     * @throws IOException the failure of the write, where there is none
     */
    default Reply lastWord(IOException writeFailure) throws IOException {
      throw writeFailure;
    }
  }

  private final ContentBudget budget;
  private final List<byte[]> fullBlocks = new ArrayList<>(0);
  private byte[] block;
  private int used;
  private byte[] above = NOTHING;
  private long heldOctets;
  private long taken = FIRST_OCTETS;
  private @Nullable Sink sink;
  private @Nullable Reply earlyRefusal;
  private boolean ending;
  private boolean dotMayBeOut;

  // The CRLF behind DATA ends a line: content starts at a line start.
  private byte lastButOne = '\r';
  private byte last = '\n';

  /** Empty; what it holds is taken from this budget. */
  public OutgoingContent(ContentBudget budget) {
    this.budget = budget;
    this.block = budget.takeFirstBlock();
    budget.take(FIRST_OCTETS);
  }

  // ---- while the client sends

  /** Takes content before DATA was sent to the mail server. */
  public void hold(byte[] octets, int offset, int length) {
    if (sink != null) {
      throw new IllegalStateException("the mail server has this content already");
    }
    heldOctets += length;
    try {
      write(octets, offset, length);
    } catch (IOException e) {
      throw new IllegalStateException("nothing was to be sent", e);
    }
  }

  /**
   * A copy of what is held, dots doubled, from its first octet on.
   *
   * @param most octets of the copy
   */
  public byte[] copyOfHeld(int most) {
    byte[] copy = new byte[(int) Math.min(most, (long) fullBlocks.size() * BLOCK_OCTETS + used)];
    int to = 0;
    for (byte[] full : fullBlocks) {
      int part = Math.min(full.length, copy.length - to);
      System.arraycopy(full, 0, copy, to, part);
      to += part;
    }
    System.arraycopy(block, 0, copy, to, copy.length - to);
    return copy;
  }

  /**
   * Puts lines above everything, before DATA is sent to the mail server: into the block where they
   * fit, so that a small message goes in one write.
   *
   * @param lines each with CRLF
   */
  public void putAbove(byte[] lines) {
    byte[] whole = stuffed(lines);
    if (!fullBlocks.isEmpty() || used + whole.length > BLOCK_OCTETS) {
      above = whole;
      return;
    }
    if (block.length - used < whole.length) {
      grow(used + whole.length);
    }
    System.arraycopy(block, 0, block, whole.length, used);
    System.arraycopy(whole, 0, block, 0, whole.length);
    used += whole.length;
  }

  /** The same lines with dots at line starts doubled, RFC 5321 section 4.5.2. */
  private static byte[] stuffed(byte[] lines) {
    int dots = 0;
    for (int i = 0; i < lines.length; i++) {
      dots += isDotAtLineStart(lines, i) ? 1 : 0;
    }
    if (dots == 0) {
      return lines;
    }
    byte[] doubled = new byte[lines.length + dots];
    int to = 0;
    for (int i = 0; i < lines.length; i++) {
      if (isDotAtLineStart(lines, i)) {
        doubled[to++] = '.';
      }
      doubled[to++] = lines[i];
    }
    return doubled;
  }

  private static boolean isDotAtLineStart(byte[] lines, int at) {
    return lines[at] == '.' && (at == 0 || lines[at - 1] == '\n');
  }

  /** True when this message is too large to be held whole. */
  public boolean large() {
    return heldOctets > HELD_OCTETS;
  }

  /** True when no more may be held, because of this message or of all others. */
  public boolean mustGo() {
    return large() || budget.exhausted();
  }

  /** True once the mail server may have some of it. */
  public boolean begun() {
    return sink != null;
  }

  /** Forgets everything. */
  @Override
  public void close() {
    fullBlocks.forEach(budget::giveBlock);
    fullBlocks.clear();
    budget.giveBlock(block);
    block = NOTHING;
    used = 0;
    giveBack();
  }

  // ---- once DATA was sent

  /** Sends the whole blocks that are held, and from now on each that fills. */
  void connect(Sink to) throws IOException {
    sink = to;
    // What is on its way is bounded by the connections, and when the blocks are out there is one a
    // connection.
    giveBack();
    if (above.length > 0) {
      send(to, above, above.length);
    }
    for (byte[] full : fullBlocks) {
      send(to, full, full.length);
    }
    fullBlocks.forEach(budget::giveBlock);
    fullBlocks.clear();
  }

  /** Sends a block, unless the mail server has answered before the message was complete. */
  private void send(Sink to, byte[] octets, int length) throws IOException {
    if (earlyRefusal == null) {
      earlyRefusal = to.answered();
    }
    if (earlyRefusal != null) {
      return;
    }
    dotMayBeOut = ending;
    try {
      to.write(octets, 0, length);
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      earlyRefusal = to.lastWord(e);
    }
  }

  /** Takes content in blocks of any size; nothing more once the mail server has answered. */
  void write(byte[] octets, int offset, int length) throws IOException {
    if (earlyRefusal != null) {
      return;
    }
    int end = offset + length;
    int from = offset;
    int dot = nextDot(octets, offset, end);
    while (dot < end) {
      // A bare LF never comes here. If one did, a receiver that ends lines there would still see a
      // doubled dot.
      if ((dot == offset ? last : octets[dot - 1]) == '\n') {
        copy(octets, from, dot - from);
        put((byte) '.');
        from = dot;
      }
      dot = nextDot(octets, dot + 1, end);
    }
    copy(octets, from, end - from);
    if (length > 1) {
      lastButOne = octets[end - 2];
      last = octets[end - 1];
    } else if (length == 1) {
      lastButOne = last;
      last = octets[offset];
    }
  }

  private static int nextDot(byte[] octets, int from, int end) {
    return OctetScan.indexOf(octets, from, end, (byte) '.');
  }

  /**
   * Ends the content and writes what is left with the final dot, in one write where it fits.
   *
   * @return the reply by which the mail server refused the message before the final dot, which is
   *     then not sent; {@code null} when there is none
   */
  @Nullable Reply finish() throws IOException {
    if (earlyRefusal != null) {
      return earlyRefusal;
    }
    ending = true;
    if (lastButOne != '\r' || last != '\n') {
      copy(LINE_END, 0, LINE_END.length);
    }
    copy(END, 0, END.length);
    flush();
    return earlyRefusal;
  }

  /** True when the mail server may have got the final dot, and so the message. */
  boolean dotMayBeOut() {
    return dotMayBeOut;
  }

  private void put(byte octet) throws IOException {
    ensureRoom(1);
    block[used++] = octet;
  }

  private void copy(byte[] octets, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      int part = Math.min(left, ensureRoom(left));
      System.arraycopy(octets, from, block, used, part);
      used += part;
      from += part;
      left -= part;
    }
  }

  /** Makes room for at least one octet, for {@code wanted} where the bound allows it. */
  private int ensureRoom(int wanted) throws IOException {
    if (used == BLOCK_OCTETS) {
      flush();
    }
    if (block.length - used < wanted && block.length < BLOCK_OCTETS) {
      grow(used + Math.min(wanted, BLOCK_OCTETS));
    }
    return block.length - used;
  }

  private void grow(int least) {
    int free = budget.plenty() ? BLOCK_OCTETS : block.length * GROWTH;
    int size = Math.min(Math.max(least, free), BLOCK_OCTETS);
    account(size - block.length);
    byte[] larger = size < BLOCK_OCTETS ? new byte[size] : budget.takeBlock();
    System.arraycopy(block, 0, larger, 0, used);
    budget.giveBlock(block);
    block = larger;
  }

  /** Sends the current block, or keeps it for later. */
  void flush() throws IOException {
    if (used == 0) {
      return;
    }
    int length = used;
    used = 0;
    if (sink != null) {
      send(sink, block, length);
    } else {
      fullBlocks.add(block);
      block = budget.takeFirstBlock();
      account(FIRST_OCTETS);
    }
  }

  private void account(int octets) {
    if (sink == null) {
      taken += octets;
      budget.take(octets);
    }
  }

  private void giveBack() {
    budget.give(taken);
    taken = 0;
  }
}
