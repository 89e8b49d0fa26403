import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Raises the classes of a jar from Java 5 to Java 6, with the stack maps that Java 6 asks for: no
 * AOT cache (JEP 483) takes older ones, so that a command would parse and verify them at each
 * start. Run by the build of admin-cli on its copy of picocli, as a source file; argument: the jar,
 * which is replaced.
 *
 * <p>Nothing else changes: names, order and times of the entries are those of the jar, licence and
 * notices too, and the change is named in META-INF, as the Apache licence asks in section 4 (b).
 * Two runs give equal files. A class that cannot be raised stays as it is.
 */
public final class RaiseClassVersions {

  private static final String NOTE = "META-INF/CHANGES-BY-BLOOMGATE.txt";

  private static final String CHANGES =
      "Changed by the build of Bloomgate: class files of version 49 (Java 5) have version 50 (Java"
          + " 6) here,\n"
          + "with the stack maps that this version asks for. The code is that of the original.\n";

  private RaiseClassVersions() {}

  public static void main(String[] arguments) throws IOException {
    Path jar = Path.of(arguments[0]);
    Path raised = jar.resolveSibling(jar.getFileName() + ".raised");
    int count = 0;
    try (ZipFile from = new ZipFile(jar.toFile());
        URLClassLoader classes = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(raised))) {
      if (from.getEntry(NOTE) != null) {
        Files.delete(raised);
        return; // it was raised before
      }
      ClassFile reader =
          ClassFile.of(
              ClassFile.ClassHierarchyResolverOption.of(
                  ClassHierarchyResolver.ofResourceParsing(classes)
                      .orElse(ClassHierarchyResolver.defaultResolver())),
              ClassFile.StackMapsOption.GENERATE_STACK_MAPS);
      LocalDateTime time = null;
      for (ZipEntry entry : Collections.list(from.entries())) {
        String name = entry.getName();
        if (name.startsWith("META-INF/") && name.endsWith(".SF")) {
          throw new IOException(jar + " is signed; its classes must not be changed");
        }
        byte[] octets;
        try (InputStream in = from.getInputStream(entry)) {
          octets = in.readAllBytes();
        }
        if (name.endsWith(".class") && isOfJava5(octets)) {
          byte[] now = raised(reader, octets);
          count += now == octets ? 0 : 1;
          octets = now;
        }
        if (time == null) {
          time = entry.getTimeLocal();
        }
        put(to, name, entry.getTimeLocal(), octets);
      }
      put(to, NOTE, time, CHANGES.getBytes(StandardCharsets.US_ASCII));
    }
    if (count == 0) {
      throw new IOException("no class of " + jar + " could be raised");
    }
    Files.move(raised, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static boolean isOfJava5(byte[] octets) {
    return octets.length > 8 && octets[6] == 0 && octets[7] == ClassFile.JAVA_5_VERSION;
  }

  private static byte[] raised(ClassFile reader, byte[] octets) {
    try {
      ClassModel model = reader.parse(octets);
      ClassTransform version =
          (to, element) ->
              to.with(
                  element instanceof ClassFileVersion
                      ? ClassFileVersion.of(ClassFile.JAVA_6_VERSION, 0)
                      : element);
      byte[] now =
          reader.transformClass(
              model,
              version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL)));
      return reader.verify(now).isEmpty() ? now : octets;
    } catch (IllegalArgumentException e) {
      return octets; // such as one that needs a class which is not there
    }
  }

  private static void put(ZipOutputStream to, String name, LocalDateTime time, byte[] octets)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(time);
    to.putNextEntry(entry);
    to.write(octets);
    to.closeEntry();
  }
}
