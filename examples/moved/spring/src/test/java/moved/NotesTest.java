package moved;

import static org.mockito.Mockito.when;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.delete;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.security.test.context.support.WithMockUser;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.web.servlet.MockMvc;

@SpringBootTest(properties = "notes.limit=3")
@AutoConfigureMockMvc
class NotesTest {
  @Autowired MockMvc mvc;
  @MockitoBean NoteService notes;

  @Test
  void showsWhatTheServiceHas() throws Exception {
    when(notes.get(7)).thenReturn(new Note(7, "From the test", "", List.of(), "nobody"));
    when(notes.get(8)).thenThrow(new NoteNotFound(8));
    mvc.perform(get("/notes/7")).andExpect(jsonPath("$.title").value("From the test"));
    mvc.perform(get("/notes/8"))
        .andExpect(status().isNotFound())
        .andExpect(jsonPath("$.detail").value("There is no note 8"));
  }

  @Test
  @WithMockUser(roles = "user")
  void isDeletedByAdminsAlone() throws Exception {
    mvc.perform(delete("/notes/7")).andExpect(status().isForbidden());
  }
}
