package io.bloomgate.blocklists.fleet.counts;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Batches as they are in Redis: sealed by AES-256-GCM (NIST SP 800-38D) with a key of the fleet's
 * secret, because they hold addresses of people. So who has not the secret can neither read a batch
 * nor make one.
 *
 * <pre>
 *   1 octet    version
 *   8 octets   run: a random number of this start of the gateway
 *   4 octets   how often this run has sealed before; with the run the nonce, so it never repeats
 *   1 octet    length of the node's name, and its octets
 *   sealed     number of the batch in this run, its age in ms, the time of Redis when it was sealed,
 *              its counts; 16 octets prove all
 * </pre>
 *
 * Used by both threads of the fleet that send and read.
 */
public final class CountSeal {

  private static final int VERSION = 2;
  private static final int RUN_OCTETS = Long.BYTES;
  private static final int NONCE_OCTETS = RUN_OCTETS + Integer.BYTES;
  private static final int HEAD_OCTETS = 1 + NONCE_OCTETS + 1;
  private static final int TAG_BITS = 128;
  private static final int MOST_NAME_OCTETS = 31;
  private static final String CIPHER = "AES/GCM/NoPadding";

  /** As {@code fleet.node} may be, so that it can be shown. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1," + MOST_NAME_OCTETS + "}");

  /** Octets of a sealed batch: head, name, number, age, time, counts, proof. */
  public static final int MOST_OCTETS =
      HEAD_OCTETS + MOST_NAME_OCTETS + 27 + CountEncoder.MOST_OCTETS + TAG_BITS / Byte.SIZE;

  private final SecretKey key;
  private final byte[] name;
  private final long run;
  private final AtomicInteger sealed = new AtomicInteger();

  /**
   * A seal of this run of this node.
   *
   * @param run random
   */
  public CountSeal(SecretKey key, String node, long run) {
    this.key = key;
    this.name = node.getBytes(US_ASCII);
    this.run = run;
  }

  /**
   * A batch that was opened.
   *
   * @param run of which start of that node
   * @param number rises with each batch of a run
   * @param ageMillis from counting to sealing
   * @param atMillis when it was sealed, by the clock of Redis
   */
  public record Opened(
      String node, long run, long number, long ageMillis, long atMillis, List<Counted> counts) {
    public Opened {
      counts = List.copyOf(counts);
    }
  }

  /**
   * Seals a batch.
   *
   * @param number of the batch in this run; the same when it is sent once more
   * @param atMillis the time of Redis
   * @param counts of {@link CountEncoder}
   */
  byte[] seal(long number, long ageMillis, long atMillis, byte[] counts) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_OCTETS + name.length);
    // Each 50 ms at most, so these last for years; a nonce must never be used for two texts.
    int nonce = Math.toIntExact(Integer.toUnsignedLong(sealed.incrementAndGet()));
    head.put((byte) VERSION).putLong(run).putInt(nonce).put((byte) name.length).put(name);
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    CountEncoder.vary(text, number);
    CountEncoder.vary(text, ageMillis);
    CountEncoder.vary(text, atMillis);
    text.writeBytes(counts);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, head.array());
      byte[] closed = cipher.doFinal(text.toByteArray());
      return ByteBuffer.allocate(head.capacity() + closed.length)
          .put(head.array())
          .put(closed)
          .array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has AES-GCM", e);
    }
  }

  /** A batch without counts, for the beginning of a connection. */
  public byte[] first() {
    return seal(0, 0, 0, new byte[0]);
  }

  /** True for a batch that this run has sealed. */
  public boolean isOwn(byte[] batch) {
    return batch.length > HEAD_OCTETS && ByteBuffer.wrap(batch).getLong(1) == run;
  }

  /** Opens a batch of any node. */
  public Opened open(byte[] batch) throws DamagedBatchException {
    if (batch.length <= HEAD_OCTETS || batch.length > MOST_OCTETS) {
      throw new DamagedBatchException("it has " + batch.length + " octets");
    }
    if (batch[0] != VERSION) {
      throw new DamagedBatchException(
          "its version is " + Byte.toUnsignedInt(batch[0]) + "; this release reads " + VERSION);
    }
    int length = batch[HEAD_OCTETS - 1];
    if (length <= 0 || length > MOST_NAME_OCTETS || batch.length < HEAD_OCTETS + length) {
      throw new DamagedBatchException("it names no node");
    }
    String node = new String(batch, HEAD_OCTETS, length, US_ASCII);
    if (!NAME.matcher(node).matches()) {
      throw new DamagedBatchException("it names no node");
    }
    ByteBuffer text = ByteBuffer.wrap(opened(batch, HEAD_OCTETS + length, node));
    long number = CountDecoder.varying(text);
    long ageMillis = CountDecoder.varying(text);
    long atMillis = CountDecoder.varying(text);
    long ofRun = ByteBuffer.wrap(batch).getLong(1);
    return new Opened(node, ofRun, number, ageMillis, atMillis, CountDecoder.read(text));
  }

  private byte[] opened(byte[] batch, int head, String node) throws DamagedBatchException {
    byte[] front = new byte[head];
    System.arraycopy(batch, 0, front, 0, head);
    try {
      return cipher(Cipher.DECRYPT_MODE, front).doFinal(batch, head, batch.length - head);
    } catch (AEADBadTagException e) {
      throw new DamagedBatchException(
          "node " + node + " has another fleet.secret_file, or it was changed on its way", e);
    } catch (GeneralSecurityException e) {
      throw new DamagedBatchException("it cannot be opened", e);
    }
  }

  private Cipher cipher(int mode, byte[] head) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, head, 1, NONCE_OCTETS));
    cipher.updateAAD(head);
    return cipher;
  }
}
