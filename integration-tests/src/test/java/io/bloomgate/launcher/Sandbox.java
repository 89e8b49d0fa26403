package io.bloomgate.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.checkout.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A small machine for the launcher: its own usual JDK folders, its own PATH with only the tools
 * that a test names, programs that write down how they were called. The launcher is the real one,
 * except that its absolute folders lie below the sandbox.
 */
final class Sandbox {
  private static final List<String> TOOLS =
      List.of(
          "sh",
          "sed",
          "dirname",
          "tail",
          "tr",
          "env",
          "readlink",
          "find",
          "head",
          "ps",
          "cat",
          "mkdir",
          "mv",
          "rm",
          "sleep",
          "touch");

  private final Path top;
  private final Map<String, String> environment = new TreeMap<>();

  /** What a program said and how it ended. */
  record Outcome(int exit, List<String> out, List<String> err) {}

  Sandbox(Path top) throws IOException {
    this.top = top;
    Files.createDirectories(top.resolve("path"));
    for (String tool : TOOLS) {
      addTool(tool);
    }
    environment.put("PATH", top.resolve("path").toString());
    environment.put("HOME", top.resolve("home").toString());
  }

  Path top() {
    return top;
  }

  Path sources() {
    return top.resolve("some sources");
  }

  /** Puts the machine's own tool on the PATH. */
  void addTool(String name) throws IOException {
    for (String folder : List.of("/usr/bin", "/bin", "/usr/local/bin")) {
      Path tool = Path.of(folder, name);
      if (Files.isExecutable(tool)) {
        Files.createSymbolicLink(top.resolve("path").resolve(name), tool);
        return;
      }
    }
    throw new IllegalStateException(name + " is not on this machine");
  }

  void set(String name, String value) {
    environment.put(name, value);
  }

  /** A source tree whose launcher lies in gateway/bin. */
  Path layOutSources() throws IOException {
    Path sources = sources();
    write(sources.resolve("pom.xml"), "");
    write(sources.resolve("blocklists/pom.xml"), "");
    for (String module : List.of("config", "blocklists/lists", "gateway", "admin-cli")) {
      write(sources.resolve(module).resolve("pom.xml"), "");
      write(sources.resolve(module).resolve("src/main/java/A.java"), "");
    }
    return layOutLauncher(sources.resolve("gateway/bin/bloomgate"));
  }

  /** Jars younger than the sources. */
  void layOutJars() throws IOException {
    Instant later = Instant.now().plusSeconds(60);
    for (String jar :
        List.of("gateway/target/bloomgate-gateway", "admin-cli/target/bloomgate-admin-cli")) {
      Path file = write(sources().resolve(jar + ".jar"), "");
      Files.setLastModifiedTime(file, FileTime.from(later));
    }
  }

  /** A package: the launcher in usr/bin, jars in usr/lib/bloomgate. */
  Path layOutPackage() throws IOException {
    Files.createDirectories(top.resolve("usr/lib/bloomgate"));
    return layOutLauncher(top.resolve("usr/bin/bloomgate"));
  }

  private Path layOutLauncher(Path place) throws IOException {
    String script = Files.readString(Checkout.root().resolve("gateway/bin/bloomgate"));
    String moved =
        script.replaceAll("(?m)(^| )/(etc|usr|opt|Library)/", "$1" + quoted(top) + "/$2/");
    return program(place, moved);
  }

  private static String quoted(Path path) {
    return path.toString().replace(" ", "\\\\ ");
  }

  /**
   * A Java in usr/lib/jvm that prints its name, its class path and its arguments, one a line, and
   * exits with 7.
   */
  Path addJava(String name, String version, boolean compiler) throws IOException {
    Path home = top.resolve("usr/lib/jvm").resolve(name);
    write(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    program(
        home.resolve("bin/java"),
        "#!/bin/sh\nprintf '%s\\n' "
            + name
            + " \"$CLASSPATH\" \"$@\"\nenv | sed -n '/^BLOOMGATE/p'\nexit 7\n");
    if (compiler) {
      program(home.resolve("bin/javac"), "#!/bin/sh\n");
    }
    return home;
  }

  /** Lets a Java home say which modules it has, as images of a JDK do. */
  void addModules(Path home, String modules) throws IOException {
    Files.writeString(
        home.resolve("release"), "MODULES=\"" + modules + "\"\n", StandardOpenOption.APPEND);
  }

  /** A Maven that counts its calls, runs {@code body}, and then makes the jars. */
  void addMaven(String body) throws IOException {
    program(
        top.resolve("path/mvn"),
        """
        #!/bin/sh
        echo "$JAVA25_HOME $*" >>%1$s/maven-calls
        %2$s
        mkdir -p gateway/target admin-cli/target
        touch gateway/target/bloomgate-gateway.jar admin-cli/target/bloomgate-admin-cli.jar
        """
            .formatted(quoted(top), body));
  }

  List<String> mavenCalls() throws IOException {
    Path calls = top.resolve("maven-calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  Process start(Path program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(top.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  Outcome run(Path program, String... arguments) throws IOException, InterruptedException {
    return finish(start(program, arguments));
  }

  /** Waits for the end; what is printed here is far smaller than a pipe holds. */
  static Outcome finish(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("the launcher did not end");
    }
    return new Outcome(
        process.exitValue(),
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList(),
        new String(process.getErrorStream().readAllBytes(), UTF_8).lines().toList());
  }

  private static Path program(Path file, String text) throws IOException {
    write(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file;
  }

  static Path write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text);
  }
}
