package io.bloomgate.bench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the types of the product whose code runs for one clean mail. Run by {@code types.sh}: once
 * as an agent in the gateway, which puts a mark at the entry of each method, and once as a program,
 * which sends mails and asks the agent after each one which types were marked since.
 *
 * <p>Only virtual threads mark: these are the threads of sessions. An interface without code, a
 * constant and code that ran only for the first mail leave no mark.
 */
public final class PassedTypes {

  private static final int MAX_TYPES = 16_384;
  private static final int MAILS = 20;
  private static final int WARM_MAILS = 200;

  private static final List<String> NAMES = new ArrayList<>();
  private static volatile boolean[] marks = new boolean[MAX_TYPES];

  private PassedTypes() {}

  /** Marks the type as passed. Called by the code that the agent changed, on any thread. */
  public static void mark(int type) {
    if (Thread.currentThread().isVirtual()) {
      marks[type] = true;
    }
  }

  /** Starts the agent, which answers each connection to the port with the types marked since. */
  public static void premain(String port, Instrumentation instrumentation) throws IOException {
    ServerSocket door =
        new ServerSocket(Integer.parseInt(port), 50, InetAddress.getLoopbackAddress());
    instrumentation.addTransformer(new Marker());
    Thread.ofPlatform().daemon().name("passed-types").start(() -> tell(door));
  }

  private static void tell(ServerSocket door) {
    try {
      while (true) {
        try (Socket asked = door.accept();
            PrintStream out = new PrintStream(asked.getOutputStream(), false, US_ASCII)) {
          boolean[] passed = marks;
          marks = new boolean[MAX_TYPES];
          synchronized (NAMES) {
            for (int type = 0; type < NAMES.size(); type++) {
              if (passed[type]) {
                out.print(NAMES.get(type) + "\n");
              }
            }
          }
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Marker implements ClassFileTransformer {

    @Override
    public byte @Nullable [] transform(
        @Nullable ClassLoader loader,
        String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] octets) {
      if (!name.startsWith("io/bloomgate/") || name.startsWith("io/bloomgate/bench/")) {
        return null;
      }
      int type;
      synchronized (NAMES) {
        type = NAMES.size();
        NAMES.add(name.substring("io/bloomgate/".length()).replace('/', '.'));
      }
      ClassFile file =
          ClassFile.of(
              ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(loader).cached()));
      return file.transformClass(
          file.parse(octets),
          ClassTransform.transformingMethodBodies(CodeTransform.ofStateful(() -> at(type))));
    }

    private static CodeTransform at(int type) {
      return new CodeTransform() {
        @Override
        public void atStart(CodeBuilder code) {
          code.loadConstant(type)
              .invokestatic(
                  ClassDesc.of(PassedTypes.class.getName()),
                  "mark",
                  MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int));
        }

        @Override
        public void accept(CodeBuilder code, CodeElement element) {
          code.with(element);
        }
      };
    }
  }

  /**
   * Sends warm mails and then the counted ones, on one connection ({@code kept}) or on one for each
   * mail ({@code own}), and prints the types that at least nine of ten mails passed, by package.
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    int port = Integer.parseInt(arguments[0]);
    int agent = Integer.parseInt(arguments[1]);
    boolean kept = arguments[2].equals("kept");
    Map<String, Integer> passed = new TreeMap<>();
    @Nullable Client client = null;
    for (int mail = -WARM_MAILS; mail < MAILS; mail++) {
      if (mail >= 0) {
        Thread.sleep(100); // what a session does behind its reply
        passed(agent).forEach(type -> passed.merge(type, 1, Integer::sum));
      }
      if (mail == 0) {
        passed.clear();
      }
      if (client == null || !kept) {
        client = new Client(port);
      }
      client.mail();
      if (!kept) {
        client.quit();
      }
    }
    passed.values().removeIf(mails -> mails < MAILS * 9 / 10);
    print(passed.keySet().stream().toList());
  }

  private static void print(List<String> types) {
    Map<String, List<String>> packages = new TreeMap<>();
    for (String type : types) {
      int dot = type.lastIndexOf('.');
      packages
          .computeIfAbsent(type.substring(0, Math.max(dot, 0)), _ -> new ArrayList<>())
          .add(type.substring(dot + 1));
    }
    packages.forEach((name, there) ->
        System.out.println(name + " " + there.size() + ": " + String.join(" ", there)));
    System.out.println("types " + types.size());
  }

  private static List<String> passed(int agent) throws IOException {
    try (Socket asked = new Socket(InetAddress.getLoopbackAddress(), agent)) {
      return new BufferedReader(new InputStreamReader(asked.getInputStream(), US_ASCII))
          .lines()
          .toList();
    }
  }

  /** Speaks SMTP as smtp-source does, for one clean mail after the other. */
  private static final class Client {
    private final Socket socket;
    private final BufferedReader replies;

    Client(int port) throws IOException {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      replies = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      await("220");
      say("EHLO client.example", "250");
    }

    void mail() throws IOException {
      say("MAIL FROM:<clean@clean.example>", "250");
      say("RCPT TO:<user@dest.example>", "250");
      say("DATA", "354");
      String head =
          "From: <clean@clean.example>\r\nTo: <user@dest.example>\r\nSubject: types\r\n\r\n";
      say(head + "A line of text.\r\n".repeat(230) + ".", "250");
    }

    void quit() throws IOException {
      say("QUIT", "221");
      socket.close();
    }

    private void say(String line, String code) throws IOException {
      socket.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
      await(code);
    }

    private void await(String code) throws IOException {
      String reply = replies.readLine();
      while (reply != null && reply.startsWith("-", 3)) {
        reply = replies.readLine();
      }
      if (reply == null || !reply.startsWith(code)) {
        throw new IOException("not " + code + ": " + reply);
      }
    }
  }
}
