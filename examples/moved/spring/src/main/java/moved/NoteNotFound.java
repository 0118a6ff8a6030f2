package moved;

public class NoteNotFound extends RuntimeException {
  public NoteNotFound(int id) {
    super("There is no note " + id);
  }
}
