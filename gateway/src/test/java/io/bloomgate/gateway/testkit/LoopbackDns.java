package io.bloomgate.gateway.testkit;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A name server on loopback that knows what a test says, over UDP. */
public final class LoopbackDns implements AutoCloseable {

  /** How a name is answered that is not in the zone. */
  public enum Mood {
    /** There is no such name. */
    NXDOMAIN,
    /** The server is in trouble. */
    SERVFAIL,
    /** No answer at all. */
    SILENT,
    /** An answer to a question that was not asked. */
    WRONG_ID,
    /** Each name has this address: a list that died, or name servers that invent addresses. */
    EVERYTHING
  }

  private static final int TTL_SECONDS = 600;

  /** Octets for questions that wait: with the default the system drops some of 500 at one time. */
  private static final int WAITING_OCTETS = 4 << 20;

  private final DatagramSocket socket;
  private final Map<String, List<Record>> zone = new ConcurrentHashMap<>();
  private final Map<String, Mood> moods = new ConcurrentHashMap<>();
  private final Map<Predicate<String>, Mood> someMoods = new ConcurrentHashMap<>();
  private final List<String> questions = new CopyOnWriteArrayList<>();
  private volatile Mood mood = Mood.NXDOMAIN;
  private volatile String everything = "127.0.0.2";

  private LoopbackDns() throws IOException {
    socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    socket.setReceiveBufferSize(WAITING_OCTETS);
    // A virtual thread would wait behind those of the look-ups.
    Thread.ofPlatform().daemon().name("loopback-dns").start(this::serve);
  }

  /** Listens at once. */
  public static LoopbackDns start() {
    try {
      return new LoopbackDns();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort());
  }

  /** The names that an address has, in master file text. */
  public LoopbackDns reverse(String address, String... names) {
    try {
      Name owner = ReverseMap.fromAddress(address);
      for (String name : names) {
        add(owner, Type.PTR, name + ".");
      }
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
    return this;
  }

  /** The address of a name. */
  public LoopbackDns forward(String name, String address) {
    try {
      add(Name.fromString(name + "."), address.contains(":") ? Type.AAAA : Type.A, address);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
    return this;
  }

  private void add(Name owner, int type, String text) throws IOException {
    Record record = Record.fromString(owner, type, DClass.IN, TTL_SECONDS, text, Name.root);
    zone.computeIfAbsent(key(owner, type), k -> new CopyOnWriteArrayList<>()).add(record);
  }

  private static String key(Name owner, int type) {
    return Type.string(type) + " " + owner.toString(true).toLowerCase(Locale.ROOT);
  }

  /** How what is not in the zone is answered from now on. */
  public LoopbackDns mood(Mood now) {
    mood = now;
    return this;
  }

  /** From now on each name that is not in the zone has this address. */
  public LoopbackDns everythingIs(String address) {
    everything = address;
    return mood(Mood.EVERYTHING);
  }

  /** Removes all records of a name. */
  public LoopbackDns remove(String question) {
    zone.remove(question);
    return this;
  }

  /** How one question is answered, for example {@code A mail.partner.example}. */
  public LoopbackDns mood(String question, Mood now) {
    moods.put(question, now);
    return this;
  }

  /** How the questions that match are answered, unless one of them has its own answer. */
  public LoopbackDns mood(Predicate<String> matching, Mood now) {
    someMoods.put(matching, now);
    return this;
  }

  private Mood moodOf(String question) {
    return someMoods.entrySet().stream()
        .filter(some -> some.getKey().test(question))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(mood);
  }

  /** Type and name of each question that came. */
  public List<String> questions() {
    return List.copyOf(questions);
  }

  private void serve() {
    byte[] octets = new byte[4096];
    while (!socket.isClosed()) {
      DatagramPacket packet = new DatagramPacket(octets, octets.length);
      try {
        socket.receive(packet);
        Message query = new Message(Arrays.copyOf(octets, packet.getLength()));
        byte[] answer = answer(query);
        if (answer.length > 0) {
          socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
        }
      } catch (IOException e) {
        // Closed, or not DNS.
      }
    }
  }

  private Record everything(Name owner) {
    try {
      return Record.fromString(owner, Type.A, DClass.IN, TTL_SECONDS, everything, Name.root);
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private byte[] answer(Message query) {
    Record question = query.getQuestion();
    String key = key(question.getName(), question.getType());
    questions.add(key);
    Message answer = new Message(query.getHeader().getID());
    answer.getHeader().setFlag(Flags.QR);
    answer.getHeader().setFlag(Flags.RA);
    answer.addRecord(question, Section.QUESTION);
    List<Record> records = zone.getOrDefault(key, List.of());
    if (records.isEmpty()) {
      switch (moods.getOrDefault(key, moodOf(key))) {
        case NXDOMAIN -> answer.getHeader().setRcode(Rcode.NXDOMAIN);
        case SERVFAIL -> answer.getHeader().setRcode(Rcode.SERVFAIL);
        case SILENT -> {
          return new byte[0];
        }
        case WRONG_ID -> answer.getHeader().setID(query.getHeader().getID() ^ 1);
        case EVERYTHING -> records = List.of(everything(question.getName()));
      }
    }
    records.forEach(record -> answer.addRecord(record, Section.ANSWER));
    return answer.toWire();
  }

  @Override
  public void close() {
    socket.close();
  }
}
